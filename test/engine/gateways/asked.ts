import type { Recorded } from '../../recordings';
import { field, listOf, partsOf } from './recorded';

/** What a recording asks for, as a person would enter it in the node. */
export interface Ask {
	apiKey: string;
	instance: unknown;
	bot: unknown;
	group: unknown;
	action: unknown;
	participants: unknown;
	/** What an invite says. */
	message: unknown;
}

/** Where the list of the recordings `…-normalisation` has what the node refuses. */
const REFUSED_PLACES: readonly number[] = [8, 13, 14, 15, 16];

/** What the node does not send, so that such a reply is played to something that it does send. */
export const refused: ReadonlyArray<
	readonly [what: RegExp, reason: string, says: RegExp, instead: (ask: Ask) => Partial<Ask>]
> = [
	[
		/missing-apikey|empty-apikey|no-apikey|(missing|no)-key$|bearer|apikey-in-query|OPTIONS/,
		'an empty key cannot be right',
		/API key is empty/,
		() => ({ apiKey: 'STAND-IN-KEY-0000' }),
	],
	[
		/SIM__(group|instance__connect).*wrong-key/,
		'so few characters are no key',
		/API key is too short/,
		() => ({ apiKey: 'STAND-IN-KEY-0000' }),
	],
	[
		/PUT-no-instance|POST-no-instance|fetch-missing-instance/,
		'an empty instance would be another route',
		/instance is empty/,
		() => ({ instance: 'alpha' }),
	],
	[
		/groupJid-true/,
		'the published type is a slip',
		/group .*true.* isn't a group ID/i,
		() => ({ group: '120363021345678901' }),
	],
	[
		/groupJid-body-nonstring/,
		'so few digits are no group',
		/group 123 looks like a phone number, not a group ID/,
		() => ({ group: '120363021345678901' }),
	],
	[
		/groupJid-personal|__personal-jid/,
		'a person is no group',
		/group .*@s\.whatsapp\.net/,
		() => ({ group: '120363021345678901' }),
	],
	[
		/groupJid-(letters|not-a-group)/,
		'letters are no group',
		/group .*abc/,
		() => ({ group: '120363021345678901' }),
	],
	[/(empty|missing)-description/, 'an empty message', /message is empty/, () => ({ message: 'Join us' })],
	[
		/empty-groupJid|missing-groupJid|__no-groupJid/,
		'no group can be meant',
		/group is empty/,
		() => ({ group: '120363021345678901' }),
	],
	[
		/bad-action|^(?!.*updateSetting).*(empty-action|missing-action|no-body)|empty-object|json-array-body|invalid-json|form-urlencoded|__GET$/,
		'only the four published actions',
		/'Action' can't be/,
		({ participants }) => ({ action: 'add', participants: participants ?? ['5511999990001'] }),
	],
	[
		/updateSetting__(action-|empty-action|missing-action|no-body)/,
		'only the four settings',
		/both settings are Unchanged/,
		() => ({ action: 'announcement' }),
	],
	[
		/missing-participants|empty-participants|empty-numbers/,
		'an empty list asks for nothing',
		/participants are empty/,
		() => ({ participants: ['5511999990001'] }),
	],
	[
		/short-number|nine-chars|no-digits|letters-and-one-digit|null-participant/,
		'not a phone number',
		/(551199|123456789|abcdefghijk|null).* isn't a valid phone number/,
		() => ({ participants: ['5511999990001'] }),
	],
	[
		/normalisation/,
		'the list holds numbers that are too short, a group, two numbers run together and letters',
		/0055119999900.* isn't a valid phone number/,
		({ participants }) => ({
			participants: listOf(participants).filter((_, place) => !REFUSED_PLACES.includes(place)),
		}),
	],
];

/** The recording without the rows of what the node does not send. */
export function withoutRefused(name: string, recorded: Recorded): Recorded {
	const rows = listOf(field(recorded.response.body, 'updateParticipants'));
	if (!name.includes('normalisation')) return recorded;
	const updateParticipants = rows.filter((_, place) => !REFUSED_PLACES.includes(place));
	return { ...recorded, response: { ...recorded.response, body: { updateParticipants } } };
}

/** What it asks for, as it was recorded. */
export function askOf(recorded: Recorded): Ask {
	const { segments, query } = partsOf(recorded);
	const { headers, body } = recorded.request;
	const [, route, first, second] = segments;
	const named = route === 'fetchInstances' ? query.get('instanceName') : undefined;
	return {
		apiKey: headers.apikey ?? '',
		instance: named ?? (route === 'updateParticipant' || second === undefined ? first : second) ?? '',
		bot: first,
		group: query.get('groupJid') ?? field(body, 'groupJid') ?? '',
		action: field(body, 'action') ?? '',
		participants: field(body, 'participants') ?? field(body, 'numbers'),
		message: field(body, 'description') ?? '',
	};
}

/** The same with something that the node does send, wherever it would not. */
export function acceptable(name: string, recorded: Recorded): Ask {
	return refused
		.filter(([what]) => what.test(name))
		.reduce<Ask>((ask, [, , , instead]) => ({ ...ask, ...instead(ask) }), askOf(recorded));
}
