import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { problemOf } from '../support';

type Form = [given: unknown, becomes: string, defaultCountryCode?: string];

const [, ...kinds] = readFileSync(join(__dirname, '../../fixtures/numbers.txt'), 'utf8')
	.split(/^# /m)
	.slice(1)
	.map((part) => part.trimEnd().split('\n'))
	.map(([kind = '', ...lines]) => [kind, lines.map((line): Form => JSON.parse(line))] as const);

/** Advice by reason. */
const ADVICE: Array<[RegExp, string | RegExp]> = [
	[/has no country code: .*or set/, 'Choose Add option > Default Country Code below Options'],
	[/number with \+ instead/, 'Write + and the country code in front, such as +55 11 99999-0001, and no @'],
	[/may be a date/, "If it's a number, write + and the country code in front"],
	[/is a date/, 'Check which column the participants come from'],
	[/spreadsheet|positive whole/, /^Format the column as plain text/],
	[/expression/, /^Choose Expression above the field/],
	[/is unclear/, 'Start the number with + and its country code'],
	[
		/is no mobile number of [\w ]+$/,
		/^If it's right, write \+\d+(?:\. If it has no country code, add the option 'Default Country Code')?$/,
	],
	[
		/too short/,
		/Check for missing digits.*another country with \+.*from Get Participants, use the field 'jid'/,
	],
	[/with a \(0\)/, /as it's dialed from abroad/],
];

describe.each(kinds)('%s', (_, forms) => {
	it.each(forms)('%j: %s', (given, becomes, ...[defaultCountryCode]) => {
		const read = () => readParticipants(given, { defaultCountryCode });
		if (/^\d/.test(becomes)) {
			expect(
				read()
					.map(({ sentAs }) => sentAs)
					.join(' '),
			).toBe(becomes);
			return;
		}
		const { message, brief = '', description } = problemOf(read);

		expect(brief.replace(/^(?:".*?"|an object|a list|[-\w.+]+)(?: |(?=:))/s, '')).toBe(becomes);
		expect(message).toMatch(
			/^The participant .+ (?:isn't a valid (?:phone number|ID): |is unclear: it could|could be )/,
		);
		expect(message + brief).not.toMatch(/\p{Cf}/u);
		const [, advice = /country code|digits 0 to 9|Type the number again/] =
			ADVICE.find(([reason]) => reason.test(becomes)) ?? [];
		expect(description).toEqual(typeof advice === 'string' ? advice : expect.stringMatching(advice));
		if (/^\+/.test(String(given))) expect(description).not.toContain('Default Country Code');
	});
});
