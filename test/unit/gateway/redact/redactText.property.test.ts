import fc from 'fast-check';
import { keyRedactor, redactText } from '../../../../nodes/MessagingGateway/gateway/redact/redactText';
import { runsOf } from '../../../thorough';
import { KEY_FORMS } from './keyForms';

const text = fc.string({ maxLength: 40 });
/** Eight or more printable characters; a header has no space around its value. */
const keys = fc
	.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 60 })
	.filter((key) => key.trim() === key);

describe('for any key and any text around it', () => {
	it.each(KEY_FORMS)('nothing of it is left that stands there $name', ({ of }) => {
		fc.assert(
			fc.property(keys, text, text, (key, left, right) => {
				const form = of(key);
				const shown = redactText(left + form + right, [key]).toLowerCase();

				expect(shown).not.toContain(form.toLowerCase());
				expect(shown).not.toContain(key.toLowerCase());
			}),
			runsOf(1_000, 50),
		);
	});

	it('a value loses just what its text loses', () => {
		const forms = fc.constantFrom(...KEY_FORMS, { of: () => '' });
		fc.assert(
			fc.property(keys, forms, fc.string({ maxLength: 40 }), text, (key, { of }, left, right) => {
				const shown = left + of(key) + right;

				expect(keyRedactor([key])({ shown })).toEqual({ shown: redactText(shown, [key]) });
			}),
			runsOf(5_000, 200),
		);
	});

	it('text that does not hold it stays as it is', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[\da-f]{16,40}$/), fc.string({ maxLength: 200 }), (key, text) => {
				expect(redactText(text, [key])).toBe(text);
			}),
			runsOf(1_000, 50),
		);
	});
});
