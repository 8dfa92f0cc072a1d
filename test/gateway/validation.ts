import { toGroupJid, toJid } from './jid';
import { refusal, type Reply } from './reply';

/** The four changes. */
export const actions = ['add', 'remove', 'promote', 'demote'] as const;
export type Action = (typeof actions)[number];

/** The four settings. */
export const settings = ['announcement', 'not_announcement', 'locked', 'unlocked'] as const;
export type Setting = (typeof settings)[number];

/** A change that passed the gateway's checks. */
export interface Change {
	groupJid: string;
	action: Action;
	/** The JIDs that the gateway made of the entries, in their order. */
	participants: string[];
}

type Fields = Record<string, unknown>;
type Problem = { property: string; message: string };
type Check<Value> = readonly [holds: (value: Value) => boolean, message: string];

const notNumeric = '"participants" must be an array of numeric strings';

const oneOf = (values: readonly unknown[]): Array<Check<unknown>> => [
	[(value) => typeof value === 'string', 'action is not of a type(s) string'],
	[(value) => values.includes(value), `action is not one of enum values: ${values.join(',')}`],
];

const settingChecks: Array<Check<unknown>> = [
	...oneOf(settings),
	[(value) => value !== '', 'The "action" cannot be empty'],
];

const listChecks: ReadonlyArray<Check<unknown[]>> = [
	[(list) => list.length > 0, 'participants does not meet minimum length of 1'],
	[(list) => new Set(list).size === list.length, 'participants contains duplicate item'],
];

const itemChecks: ReadonlyArray<Check<unknown>> = [
	[(item) => typeof item === 'string', notNumeric],
	[(item) => typeof item !== 'string' || item.length >= 10, notNumeric],
	[(item) => typeof item !== 'string' || /\d/.test(item), notNumeric],
];

function isAction(value: unknown): value is Action {
	return actions.some((action) => action === value);
}

function failed<Value>(property: string, value: Value, checks: ReadonlyArray<Check<Value>>): Problem[] {
	return checks.filter(([holds]) => !holds(value)).map(([, message]) => ({ property, message }));
}

function participantProblems(participants: unknown): Problem[] {
	if (!Array.isArray(participants)) {
		return [{ property: 'participants', message: 'participants is not of a type(s) array' }];
	}
	const list: unknown[] = participants;
	return [
		...failed('participants', list, listChecks),
		...list.flatMap((item, index) => failed(`participants[${index}]`, item, itemChecks)),
	];
}

function problems({ action, participants }: Fields): Problem[] {
	return [
		...(action === undefined ? [] : failed('action', action, oneOf(actions))),
		...(participants === undefined ? [] : participantProblems(participants)),
		...Object.entries({ action, participants })
			.filter(([, value]) => value === undefined)
			.map(([name]) => missing(name)),
	];
}

function missing(name: string): Problem {
	return { property: 'instance', message: `instance requires property "${name}"` };
}

const noGroup = refusal(400, [
	'The group id needs to be informed in the query',
	'ex: "groupJid=120362@g.us"',
]);

/**
 * Checks a change as the gateway does: the group first, then action and participants, all that is wrong at once.
 * A group in the body goes before the one in the query. Texts and order are those of the recordings.
 */
export function validateChange(
	body: Fields,
	groupInQuery: unknown,
	dropsDevice: boolean,
): { change: Change } | { refused: Reply } {
	const groupJid = body['groupJid'] || groupInQuery;
	if (!groupJid) return { refused: noGroup };
	if (typeof groupJid !== 'string') return { refused: refusal(500, 'groupJid.endsWith is not a function') };
	const found = problems(body);
	if (found.length > 0) return { refused: refusal(400, found) };
	const { action, participants } = body;
	if (!isAction(action) || !Array.isArray(participants))
		throw new Error('The checks above let this through.');
	return {
		change: {
			groupJid: toGroupJid(groupJid),
			action,
			participants: participants.map((one) => toJid(String(one), dropsDevice)),
		},
	};
}

/** Checks a change of a setting: the group first, whose JID may be any text. */
export function validateSetting(
	body: Fields,
	groupInQuery: unknown,
): { groupJid: string; setting: Setting } | { refused: Reply } {
	const groupJid = body['groupJid'] || groupInQuery;
	if (!groupJid) return { refused: noGroup };
	const { action } = body;
	const found = action === undefined ? [missing('action')] : failed('action', action, settingChecks);
	const setting = settings.find((one) => one === action);
	if (setting === undefined) return { refused: refusal(400, found) };
	return { groupJid: toGroupJid(String(groupJid)), setting };
}

/** Checks the group of a call that is about one. Its JID comes complete. */
export function validateGroup(
	body: Fields,
	groupInQuery: unknown,
): { groupJid: string } | { refused: Reply } {
	const given = body['groupJid'] || groupInQuery;
	if (!given) return { refused: noGroup };
	if (typeof given !== 'string') return { refused: refusal(500, 'a.endsWith is not a function') };
	const groupJid = toGroupJid(given);
	if (/^[\d-]+@g.us$/.test(groupJid)) return { groupJid };
	const message = 'groupJid does not match pattern "^[\\\\d-]+@g.us$"';
	return { refused: refusal(400, [{ property: 'groupJid', message }]) };
}

/** An invitation that passed the gateway's checks. */
export interface Invite {
	groupJid: string;
	description: string;
	numbers: string[];
}

/** Checks an invitation: what is missing first. The group's JID is taken as it is. */
export function validateInvite(body: Fields): { invite: Invite } | { refused: Reply } {
	const { groupJid, description, numbers } = body;
	const absent = Object.entries({ groupJid, description, numbers })
		.filter(([, value]) => value === undefined)
		.map(([name]) => missing(name));
	if (absent.length > 0) return { refused: refusal(400, absent) };
	if (description === '') {
		const message = 'The "description" cannot be empty';
		return { refused: refusal(400, [{ property: 'description', message }]) };
	}
	if (!Array.isArray(numbers) || numbers.length === 0) {
		const message = 'numbers does not meet minimum length of 1';
		return { refused: refusal(400, [{ property: 'numbers', message }]) };
	}
	return {
		invite: { groupJid: String(groupJid), description: String(description), numbers: numbers.map(String) },
	};
}
