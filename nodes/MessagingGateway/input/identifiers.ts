import { MissingValue, Problem } from '../common/problem';
import { isBlank, quote } from '../common/text';

const BY_ID = 'a group is named by its ID, such as 120363021345678901@g.us';
const LISTS_IDS = 'Get Many (Group) lists them as groupJid';
const GROUP_EXPECTED = `A group ID looks like 120363021345678901@g.us. Choose the group with 'From List'. ${LISTS_IDS}`;

/** IDs of groups. Old ones have a number and a time; up to 15 digits without suffix are a phone number. */
const GROUP_ID = /^(?:\d+@g\.us|\d+-\d+(?:@g\.us)?|\d{16,})$/;

const NOT_A_GROUP: Array<{ pattern: RegExp; what: string }> = [
	{ pattern: /chat\.whatsapp\.com|^https?:/i, what: 'an invite link' },
	{ pattern: /^\+?\d[\d\s().-]*$/, what: 'a phone number' },
	{ pattern: /@(s\.whatsapp\.net|c\.us|lid)$/i, what: "a person's ID" },
	{ pattern: /@newsletter$/i, what: "a channel's ID" },
	{ pattern: /@broadcast$/i, what: "a broadcast list's ID" },
];

/** Reads an instance name. Trims nothing, since the gateway compares names exactly. @throws Problem */
export const readInstanceName = (value: unknown): string => readSegment(value, 'instance', 'name');

export const readBotId = (value: unknown): string => readSegment(value, 'bot', 'ID');

function readSegment(value: unknown, noun: string, what: string): string {
	const whatToDo = `Choose it with 'From List', or enter its ${what} exactly as the gateway shows it`;
	if (isBlank(value)) throw new MissingValue(`The ${noun} is empty`, whatToDo);
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || text === '.' || text === '..' || !text.isWellFormed())
		throw new Problem(`The ${noun} ${quote(value)} isn't valid`, whatToDo);
	return text;
}

/** Reads the ID of a group. @returns the full JID, `…@g.us` @throws Problem */
export function readGroupJid(value: unknown): string {
	if (typeof value === 'number' && !Number.isSafeInteger(value))
		throw new Problem(
			`The group ID ${quote(value)} is a number that lost digits`,
			'Format the column as plain text where the ID comes from, then enter the ID again',
		);
	if (isBlank(value)) throw new MissingValue('The group is empty', GROUP_EXPECTED);
	if (typeof value !== 'number' && typeof value !== 'string') throw notAGroup(value);
	const text = String(value).trim();
	if (GROUP_ID.test(text)) return text.endsWith('@g.us') ? text : `${text}@g.us`;
	throw notAGroup(value, NOT_A_GROUP.find(({ pattern }) => pattern.test(text))?.what);
}

function notAGroup(value: unknown, what?: string): Problem {
	const problem = what === undefined ? "isn't a group ID" : `looks like ${what}, not a group ID`;
	const ofMany = what === undefined ? ([BY_ID, LISTS_IDS] as const) : undefined;
	const about = { value, fault: [problem], ofMany } as const;
	return new Problem(`The group ${quote(value)} ${problem}`, GROUP_EXPECTED, about);
}
