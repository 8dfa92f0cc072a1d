import fc from 'fast-check';
import { Problem } from '../../../nodes/MessagingGateway/common/problem';
import { readParticipants } from '../../../nodes/MessagingGateway/input/participants';
import { PHONE_LENGTHS } from '../../../nodes/MessagingGateway/groups/identity';
import { runsOf } from '../../thorough';

const LONGEST = 200_000;

/** What a pattern could stumble over, many times over. */
const pieces = fc.constantFrom(
	...'0123456789+()[]{}.-,;@eE"\'\\ \t\n\u200b\u00a0\ud800x',
	'@lid',
	'(0)',
	'00',
	'+62 0',
	'="',
	'1. ',
	' ::: ',
	'tel:',
	'\u202e',
	'{"a":',
);
const repeated = fc
	.tuple(fc.array(pieces, { minLength: 1, maxLength: 4 }), fc.nat(LONGEST))
	.map(([unit, length]) => unit.join('').repeat(length).slice(0, length));
const text = fc
	.tuple(fc.string({ unit: pieces, maxLength: 20 }), repeated, fc.string({ unit: pieces, maxLength: 20 }))
	.map((parts) => parts.join('').slice(0, LONGEST));

const SENT = /^(?:[1-9]\d{9,14}|[1-9]\d{7,14}@s\.whatsapp\.net|\d[\d:._-]*@(?:s\.whatsapp\.net|c\.us|lid))$/;

const options = fc.record({
	defaultCountryCode: fc.option(fc.constantFrom(...Object.keys(PHONE_LENGTHS)), { nil: undefined }),
});

// Patterns that look at a stretch of text again from each of its places would take minutes for each of these.
test('any text is taken or refused with a short message, however long it is', () => {
	fc.assert(
		fc.property(text, fc.boolean(), options, (given, asList, how) => {
			try {
				const read = readParticipants(asList ? [given] : given, how);
				expect(read.filter(({ sentAs }) => !SENT.test(sentAs) || sentAs.length < 10)).toEqual([]);
			} catch (problem) {
				expect(problem).toBeInstanceOf(Problem);
				if (problem instanceof Problem) expect(problem.message.length).toBeLessThan(300);
			}
		}),
		runsOf(300),
	);
});
