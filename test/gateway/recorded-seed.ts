import { load } from '../recordings';
import type { MessageFate, Seed } from './gateway';
import { recordedServer, type Circumstances } from './recorded-instances';

/** What a recording's name tells about the state of its server; the first that fits. */
const circumstances: ReadonlyArray<readonly [name: RegExp, Circumstances]> = [
	[/^whatsmiau.*unknown-group/, { group: { refuses: 'item-not-found' } }],
	[/^whatsmiau.*updateParticipant__POST-not-admin/, { group: { refuses: 'not-authorized' } }],
	[/^whatsmiau.*not-admin/, { group: { admins: [], creator: '5511910000002' } }],
	[/^whatsmiau.*not-in-the-group/, { group: { members: [] } }],
	...['conflict', 'internal-server-error', 'not-allowed', 'resource-limit'].map(
		(refuses) => [new RegExp(`^whatsmiau.*-${refuses}$`), { group: { refuses } }] as const,
	),
	[/^whatsmiau.*logged-out/, { connections: { lost: 'close' } }],
	[/^whatsmiau.*closed-clean/, { fault: 'sent-again' }],
	[/^whatsmiau.*stream-error/, { fault: 'stream-errored' }],
	[/^whatsmiau.*(silence|connection-lost)/, { group: { silent: true } }],
	[/^whatsmiau.*hidden/, { group: { lid: true } }],
	[/^whatsmiau/, {}],
	[
		/(updateSetting|revokeInviteCode|findGroupInfos)__.*(stream-error|restart|silent)/,
		{ group: { silent: true } },
	],
	[/(updateSetting|revokeInviteCode|findGroupInfos)__connection-lost/, { fault: 'closed-1006' }],
	[/2\.3\.7-SIM__(updateGroup|toggle|create|fetchAll).*silent/, { group: { silent: true } }],
	[/2\.3\.7-SIM__(updateGroup|leaveGroup|create)\w*__(made-)?connection-lost/, { fault: 'closed-1006' }],
	[/2\.3\.7-SIM__toggleEphemeral__network-bad/, { group: { refuses: 'bad-request' } }],
	[
		/sendText__group-everyone/,
		{ group: { members: ['5511999990000', '5511900000001', '5511910000001', '5511910000002'] } },
	],
	[/2\.3\.7-SIM__sendText__group-admins-only/, { group: { admins: [], extra: { announce: true } } }],
	[/findMessages__.*-new-message-/, { fates: ['delivered'], storesNoMessages: true }],
	[/findMessages__never-written-to/, { fates: [] }],
	[
		/findMessages__(delivered-message-update-off|network-gave-no-answer|.*-after-0-ms)/,
		{ fates: ['unanswered'] },
	],
	[/findMessages__delivered-and-read/, { fates: ['read'] }],
	[/findMessages__delivered/, { fates: ['delivered'] }],
	[/findMessages__long/, { fates: [...Array<MessageFate>(53).fill('delivered'), 'refused'] }],
	[/findMessages__sent-to-a-hidden-id/, { fates: ['unanswered', 'refused'] }],
	[/findMessages__two-messages-the-newer/, { fates: ['delivered', 'refused'] }],
	[/findMessages__two-messages-the-older/, { fates: ['refused', 'delivered'] }],
	[/findMessages__refused/, { fates: ['refused'] }],
	[/__closed-clean/, { fault: 'closed-1000' }],
	[/__not-an-admin/, { group: { admins: [] } }],
	[/__not-a-member/, { group: { members: [] } }],
	[/__network-401/, { group: { refuses: 'not-authorized' } }],
	[/__network-403/, { group: { refuses: 'forbidden' } }],
	[/__network-internal/, { group: { refuses: 'internal-server-error' } }],
	[/__network-rate/, { group: { refuses: 'rate-overlimit' } }],
	[/(remove|promote|demote)-ok|PUT-groups-ignored/, { members: ['5511999990001'] }],
	[/(remove|promote|demote)-mixed/, { members: ['5511999990041'] }],
	[/1\.8\.6.*add-mixed|stream-error-515/, { silent: true }],
	[/add-mixed/, { members: ['5511999990409'], maxMembers: 3 }],
	[/add-lid-group/, { lid: true }],
	[/valid-connecting|2\.2\.3__connectionState__beta/, { connections: { beta: 'connecting' } }],
	[/really-connecting|right-after-connection-lost/, { connections: { sim: 'connecting' } }],
	[/2\.3\.6-SIM__groupParticipants__connecting/, { connections: { never: 'connecting' } }],
	[/groupParticipants__while-the-gateway-starts/, { connections: { main: 'connecting' } }],
	[/1\.8\.2-SIM__groupParticipants__connecting/, { connections: { beta: 'waiting' } }],
	[/fetchAllGroups__no-groups/, { connections: { sim2: 'open' } }],
	[/fetchAllGroups__not-connected$/, { ignoresGroups: true }],
	[/connection-lost-after-it-was-applied/, { fault: 'closed-1006' }],
	[/PUT-right-after-start|connectionState-while-the-gateway-starts/, { fault: 'just-started' }],
	[
		/1\.8\.2-SIM__(groupP|fetchAll|invite|sendInvite)/,
		{ groupsAsIn: 'v1.8.2-SIM__fetchAllGroups__with-participants' },
	],
	[/2\.2\.3-SIM__groupFetchAll/, { groupsAsIn: 'v2.2.3-SIM__groupFetchAllGroups__true' }],
	[/2\.3\.6-SIM__groupFetchAll/, { groupsAsIn: 'v2.3.6-SIM__groupFetchAllGroups__second' }],
	[/known-contacts/, { knownContacts: true }],
	[/none-exist/, { noInstances: true }],
];

/** What was set on the server of a recording, or befell it. */
export function circumstancesOf(name: string): Circumstances {
	return circumstances.find(([part]) => part.test(name))?.[1] ?? {};
}

/**
 * The state that a recorded server was in, as far as the recordings show it.
 * @param name the recording's name, which says what server it was and what had been done before.
 */
export function recordedSeed(name: string): Seed {
	const now = circumstancesOf(name);
	return {
		...recordedServer(name, now),
		bots: [],
		people: {
			'5511999990401': 'blocked',
			'5511999990403': 'inviteOnly',
			'5511999990404': 'notOnNetwork',
			'5511999990408': 'recentlyLeft',
			'5511910000401': 'blocked',
			'5511910000403': 'inviteOnly',
			'5511910000602': 'inviteOnly',
			'5511910000404': 'inviteOnly',
			'5511910000014': 'notOnNetwork',
			'4915100000404': 'notOnNetwork',
			'5511910000408': 'recentlyLeft',
			'5511910000603': 'recentlyLeft',
		},
		knownAs: { '5531999990002@s.whatsapp.net': '553199990002@s.whatsapp.net' },
		silenceMs: 50,
		storesMessages: now.storesNoMessages !== true,
		messages: (now.fates ?? []).map((fate) => ({
			instance: 'main',
			to: personIn(name),
			text: 'Come in',
			fate,
		})),
	};
}

/** The person to whom the messages of a recording went. */
function personIn(name: string): string {
	const { where }: { where: { key: { remoteJid: string } } } = JSON.parse(
		JSON.stringify(load(name).request.body),
	);
	return where.key.remoteJid;
}
