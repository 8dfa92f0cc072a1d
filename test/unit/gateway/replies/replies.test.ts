import { belongsTo, readBot, readBots } from '../../../../nodes/MessagingGateway/gateway/replies/bots';
import { outcomeOfCode } from '../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { readRows } from '../../../../nodes/MessagingGateway/gateway/replies/changeRows';
import { readGroups, simplifyGroup } from '../../../../nodes/MessagingGateway/gateway/replies/groups';
import {
	readConnectionState,
	readInstances,
	simplifyInstance,
	readQrCode,
} from '../../../../nodes/MessagingGateway/gateway/replies/instances';
import {
	hasInviteLink,
	readInviteLink,
	readInviteSent,
	readRevoked,
} from '../../../../nodes/MessagingGateway/gateway/replies/inviteLink';
import { readNumberLookup } from '../../../../nodes/MessagingGateway/gateway/replies/messages';
import { EMPTY } from '../../../../nodes/MessagingGateway/gateway/routes';
import { ACTIONS } from '../../../../nodes/MessagingGateway/groups/outcomes';
import { simplifyMember } from '../../../../nodes/MessagingGateway/groups/people';
import { load, recordings } from '../../../recordings';
import { readMembers, testReplies } from '../../support';
import { A, B, jidOf, LID, only, onlyFor, outcomes, request, resultsIn, row } from './matching/rows';

/** What is read, with a word for a link that the network didn't give. */
const orEmpty = (read: (reply: unknown) => unknown) => (reply: unknown) => {
	const value = read(reply);
	return value === EMPTY ? 'EMPTY' : value;
};
const ERROR = '{"status":404,"error":"Not Found","response":{"message":["x"]}}';

describe('bots', () => {
	testReplies(
		'a bot is whatever has an ID',
		(reply) => {
			const bot = readBot(reply);
			return bot ? bot.id : bot;
		},
		`{"id":"b1"} | {"id":"b1","instance":"other"} | {"id":"b1","status":1} → "b1"
		{"id":"b1","status":"on","response":{}} | {"id":"b1","status":400,"error":"last call failed"} → "b1"
		- | null | "" | [] | {} → null
		"text" | 5 | true | [{"id":"b1"}] | [null] | {"id":5} | {"instanceName":"alpha"} → -
		${ERROR} | {"error":"Unauthorized"} → -`,
	);

	const belongs = (instanceId?: string) => (fields: unknown) => {
		const bot = readBot({ id: 'b1', ...Object(fields) });
		return bot && belongsTo(bot, { name: 'alpha', instanceId });
	};
	testReplies(
		'the name in its record tells whose it is, or else its ID',
		belongs('i1'),
		`{"instanceName":"alpha"} | {"Instance":{"name":"alpha"}} | {"instanceId":"i1"} → true
		{"instanceName":"beta"} | {"instanceName":"ALPHA"} | {"Instance":{"name":"beta"}} → false
		{"instance":{"instanceName":"beta"}} | {"instanceId":"i2"} → false
		{} → -`,
	);
	testReplies('an ID tells nothing without one to compare', belongs(), '{"instanceId":"i1"} → -');
	testReplies(
		'a list has the ID of each, and a description if there is one',
		readBots,
		`[{"id":"b1","description":"Sales"},{"id":"b2","description":""}] → [{"id":"b1","description":"Sales"},{"id":"b2"}]
		[null,{"id":"b1","description":5},"b2",{"description":"no ID"}] → [{"id":"b1"}]
		null | [] → []
		- | "" | {"id":"b1"} | [null] | [{"name":"b1"}] → -`,
	);
});

describe('rows of a group change', () => {
	const ofA = (more: unknown) => onlyFor({ jid: jidOf(A), ...Object(more) });
	const codeOf = (more: unknown) => {
		const result = ofA(more);
		return result?.code ?? result?.outcome;
	};
	testReplies(
		'have a code',
		codeOf,
		`{"status":"200"} | {"status":200} | {"status":" 200 "} → "200"
		{"content":{"attrs":{"error":"403"}}} | {"status":"","content":{"attrs":{"error":403}}} → "403"
		{} | {"status":null} | {"status":""} | {"status":true} | {"status":["200"]} | {"status":{}} → "unconfirmed"
		{"status":"token=SECRETabc999"} | {"status":"999999999999999999999"} → "unconfirmed"`,
	);
	testReplies(
		'with an error have its code, whatever their status, and none where that is none or differs',
		(more) => codeOf({ status: '200', ...Object(more) }),
		`{"content":{"attrs":{"error":"403"}}} | {"content":{"error":"403"}} | {"error":403} → "403"
		{"error":"403","content":{"attrs":{"error":"403"}}} → "403"
		{"status":"409","content":{"attrs":{"error":"404"}}} | {"content":{"attrs":{"error":{"code":"403"}}}} → "unconfirmed"
		{"content":{"attrs":{"error":["403"]}}} | {"content":{"attrs":{"error":true}}} → "unconfirmed"
		{"error":"You are not allowed to do this"} → "unconfirmed"
		{"error":null} | {"error":false} | {"error":""} | {"content":{"attrs":{"error":"200"}}} → "200"`,
	);
	testReplies(
		'with two codes of a removal are not known',
		(more) => only([{ jid: jidOf(A), status: '404', ...Object(more) }], 'remove')?.outcome,
		'{"content":{"attrs":{"error":"403"}}} | {"error":"500"} → "unconfirmed"',
	);

	const invited = (content: unknown) => onlyFor({ ...row('403', jidOf(A)), content: { content } });
	const withInvite = (attrs: unknown) =>
		invited([null, { tag: 'other', attrs: { code: 'x' } }, 'text', { tag: 'add_request', attrs }]);
	testReplies(
		'may have an invite with a code',
		(attrs) => withInvite(attrs)?.inviteCode,
		`{"code":"abc"} → "abc"
		null | "abc" | {} | {"code":5} | {"code":null} → -`,
	);
	testReplies(
		'may have an invite with a time',
		(expiration) => withInvite({ code: 'abc', expiration })?.inviteExpiresAt,
		`"1759028118" | 1759028118 → "2025-09-28T02:55:18.000Z"
		- | null | "" | "  " | "soon" | true | [] | {} | "1e9" | "1e300" | "-5" | "5 seconds" | "NaN" → -
		["1759028118"] | -1e20 | {"toString":1,"valueOf":1} | [{"toString":null}] → -`,
	);
	testReplies(
		'have an invite only where it says so',
		(content) => invited(content)?.inviteCode,
		'[] | ["text"] | [{"tag":"other","attrs":{"code":"x"}}] → -',
	);

	const read = (more: unknown) =>
		readRows({ participants: [{ jid: jidOf(A), lid: LID, isAdmin: false, ...Object(more) }] });
	testReplies(
		'with the fields of a member, as from WhatsMiau, have the code of its error',
		(more) => read(more)?.map(({ code }) => code)[0],
		`{} | {"error":0} → "200"
		{"error":403} | {"status":"403"} → "403"
		{"error":"409"} → "409"
		{"error":null} | {"error":"You are not allowed"} | {"error":{"code":403}} | {"error":false} → -`,
	);

	it.each([LID, A])('with the fields of a member are found by %s, and confirm nobody else', (id) => {
		const reply = {
			participants: [
				{ jid: jidOf(A), lid: LID, error: 403 },
				{ jid: jidOf(B), lid: '' },
			],
		};
		expect(resultsIn(request([id, B]), reply).map(({ outcome }) => outcome)).toEqual([
			'inviteRequired',
			'done',
		]);
		const other = resultsIn(request([B]), { participants: [{ jid: jidOf(A), lid: LID }] });
		expect(other).toMatchObject([{ outcome: 'unconfirmed', applied: null }]);
	});

	testReplies(
		'are read with both IDs of a person',
		readRows,
		`{"updateParticipants":["text",{"status":403}]} → [{},{"code":"403"}]
		[{"jid":"${LID}","content":{"attrs":{"jid":"${jidOf(A)}"}}}] → [{"jid":"${LID}","otherId":"${jidOf(A)}"}]
		[{"jid":"${LID}","content":{"attrs":{"phone_number":"${A}"}}}] → [{"jid":"${LID}","otherId":"${A}"}]
		[{"jid":"${LID}","content":{"attrs":{"jid":"${LID}"}}}] → [{"jid":"${LID}"}]
		[{"jid":"${A}","content":{"attrs":{"jid":"${B}"}}}] → [{"jid":"${A}"}]
		{"error":"Trouble","participants":[{"jid":"${A}"}]} → []`,
	);
	testReplies(
		'are those of the reply itself, which may be a bare list',
		(reply) => only(reply)?.outcome,
		`[{"status":"200","jid":"${A}"}] → "done"
		{"__proto__":{"updateParticipants":[{"status":"200","jid":"${A}"}]}} → "accepted"`,
	);
	testReplies(
		'mean by their code, on add, remove, promote and demote',
		(code) => ACTIONS.map((action) => outcomeOfCode(String(code), action)).join(),
		`"200" | "success" | "OK" → "done,done,done,done"
		"409" → "unchanged,rejected,rejected,rejected"
		"404" → "notFound,unchanged,notFound,notFound"
		"403" | "417" → "inviteRequired,rejected,rejected,rejected"
		"408" → "recentlyLeft,recentlyLeft,recentlyLeft,recentlyLeft"
		"419" → "groupFull,groupFull,groupFull,groupFull"
		"421" → "pendingApproval,pendingApproval,pendingApproval,pendingApproval"
		"401" → "blocked,blocked,blocked,blocked"
		"400" | "500" | "201" | "2000" | "0200" | "" → "rejected,rejected,rejected,rejected"
		"Added" → "done,unconfirmed,unconfirmed,unconfirmed"
		"removed" → "unconfirmed,done,unconfirmed,unconfirmed"
		"pending" | "constructor" | "__proto__" → "unconfirmed,unconfirmed,unconfirmed,unconfirmed"`,
	);

	it.each([{}, { error: '404' }])('without a code are not known, and show none: %j', (more) => {
		const result = ofA({ status: more.error && '409', ...more });
		expect(result).toMatchObject({ outcome: 'unconfirmed', applied: null });
		expect(result).toHaveProperty('code', undefined);
		expect(outcomes([A], [{ ...row('200', jidOf(A)), error: 403 }])).toEqual(['inviteRequired']);
	});
});

describe('groups', () => {
	const GROUP = '"id":"1@g.us","subject":"Club","size":3';
	const withoutElement = (reply: unknown) => readGroups(reply)?.map(({ element: _, ...group }) => group);
	testReplies(
		'are a list whose elements have an ID, with what is always in a group',
		withoutElement,
		`[] → []
		[{${GROUP}}] | [{${GROUP},"isCommunityAnnounce":false,"linkedParent":"9@g.us"}] → [{${GROUP},"isCommunity":false}]
		[{"id":"2@g.us","subject":"","size":"3"}] → [{"id":"2@g.us","isCommunity":false}]
		[{"id":"2@g.us","isCommunity":true}] → [{"id":"2@g.us","isCommunity":true}]
		[{"id":"2@g.us","isCommunityAnnounce":true}] → [{"id":"2@g.us","isCommunity":false,"announcementsOf":""}]
		[{"id":"2@g.us","isCommunityAnnounce":true,"linkedParent":"9@g.us"}] → [{"id":"2@g.us","isCommunity":false,"announcementsOf":"9@g.us"}]
		- | null | {"groups":[]} | "ok" | ["1@g.us"] | [{${GROUP}},null] | [{${GROUP}},{"subject":"Club"}] → -
		[{"id":""}] | [{"id":5}] → -`,
	);
	const simplified = (element: unknown) =>
		readGroups([element])?.map((group) => JSON.stringify(simplifyGroup(group, 'main')))[0];
	testReplies(
		'are simplified to the published fields in their order, without what is null',
		(element) => simplified(element)?.replace('{"instance":"main","groupJid":"1@g.us"', ''),
		`{"id":"1@g.us","subject":null,"size":null,"owner":null,"desc":null,"creation":null} → "}"
		{"id":"1@g.us","size":0,"desc":"","subject":""} → ",\\"subject\\":\\"\\",\\"size\\":0,\\"description\\":\\"\\"}"
		{"restrict":true,"announce":false,"isCommunity":false,"id":"1@g.us"} → ",\\"announce\\":false,\\"restrict\\":true,\\"isCommunity\\":false}"
		{"creation":1760000000,"owner":"5@s","pictureUrl":"x","descId":"D","id":"1@g.us"} → ",\\"owner\\":\\"5@s\\",\\"createdAt\\":\\"2025-10-09T08:53:20.000Z\\"}"
		{"id":"1@g.us","subject":"👨‍👩‍👧 نمی‌خواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿","desc":" One\\r\\n\\tTwo\u202E "} → ",\\"subject\\":\\"👨‍👩‍👧 نمی‌خواهم 🏴󠁧󠁢󠁥󠁮󠁧󠁿\\",\\"description\\":\\"One\\\\n Two\\"}"
		{"id":"1@g.us","subject":"Club\\n\u202E${'x'.repeat(200)}"} → ",\\"subject\\":\\"Club ${'x'.repeat(94)}…\\"}"`,
	);
	// 2008, the day after tomorrow, and ms in place of seconds.
	const noTimes = [
		'"1760000000"',
		1e15,
		'{}',
		0,
		1_230_000_000,
		Date.now() / 1000 + 2 * 86_400,
		1_700_000_000_000,
	];
	testReplies(
		'have no date where that is none',
		(creation) => simplified({ id: '1@g.us', creation }),
		`${noTimes.join(' | ')} → "{\\"instance\\":\\"main\\",\\"groupJid\\":\\"1@g.us\\"}"`,
	);
});

describe('instances', () => {
	const JID = '5511999990001@s.whatsapp.net';
	testReplies(
		'are a list or one, wrapped or not',
		(reply) => readInstances(reply)?.map(({ name }) => name),
		`[{"instance":{"instanceName":"a","status":"open"}},{"instance":{"instanceName":"b","apikey":"k"}}] → ["a","b"]
		[{"name":"a","id":"1"},{"instanceName":"b","instanceId":"2"}] → ["a","b"]
		{"instance":{"instanceName":"a","connectionStatus":"open"}} | {"name":"a","token":null} → ["a"]
		[] | null → []
		- | "text" | 5 | {} | {"status":200,"message":"ok"} | [null] | [[]] | ["alpha"] → -
		[{"name":"a","id":"1"},{}] | [{"name":5,"id":"1"}] | [{"name":"a thing of another kind"}] → -
		{"instance":{"status":"open"}} | [{"__proto__":{"instanceName":"a","id":"1"}}] → -
		[{"id":"main"}] | [{"id":"main","webhook":{}}] → -`,
	);
	testReplies(
		'are kept as they came, and have a status if they say it',
		(element) => readInstances([element])?.map((one) => one.element === element && (one.status ?? 'none'))[0],
		`{"instance":{"instanceName":"a","status":"open"},"extra":1} → "open"
		{"name":"main","status":""} | {"name":"main","status":5} → "none"`,
	);
	testReplies(
		'are simplified, those of WhatsMiau too, to what is known of them',
		(element) => readInstances([element])?.map(simplifyInstance)[0],
		`{"id":"main","instanceName":"main","remoteJID":"5:1@s.whatsapp.net","ownerJid":"${JID}","webhook":{}} → {"instanceName":"main","instanceId":"main","owner":"${JID}"}
		{"name":"a","ownerJid":"${JID}","profileName":null,"profilePicUrl":null,"token":null} → {"instanceName":"a","owner":"${JID}","profilePictureUrl":null}`,
	);
	testReplies(
		'have a live state',
		readConnectionState,
		`{"instance":{"instanceName":"a","state":"close"}} | {"status":"CLOSE"} → "close"
		{"id":"a","state":"closed","instance":{"instanceName":"a","state":"closed"}} → "close"
		{"state":"open"} | {"state":"ONLINE"} → "open"
		{"instance":{"status":"Connecting"},"status":"success"} | {"state":"qr-code"} → "connecting"
		{"instance":{"instanceName":"a"}} | {"status":500,"error":"Trouble"} | {"instance":{"state":""}} | "text" | null → -`,
	);

	const bodyOf = (name: string) => load(name).response.body;
	const [loggedOut] = [bodyOf('v2.3.6-SEED__fetchInstances__loggedout')].flat();
	testReplies(
		'say last why and when they were closed',
		(more) => {
			const [instance] = readInstances([{ ...Object(loggedOut), ...Object(more) }]) ?? [];
			const entries = Object.entries(instance ? simplifyInstance(instance) : {});
			const last = entries.slice(-2).filter(([name]) => name.startsWith('disconn'));
			return last.map(([, value]) => value).join(' at ');
		},
		`{"disconnectionReasonCode":401} | {"disconnectionReasonCode":"401"} | {"connectionStatus":"connecting"} → "loggedOut at 2026-11-20T16:31:01.622Z"
		{"disconnectionReasonCode":402} | {"disconnectionReasonCode":403} → "restricted at 2026-11-20T16:31:01.622Z"
		{"disconnectionReasonCode":406} → "406 at 2026-11-20T16:31:01.622Z"
		{"connectionStatus":"open"} | {"connectionStatus":null} → ""
		{"disconnectionReasonCode":null,"disconnectionAt":null} | {"disconnectionReasonCode":{},"disconnectionAt":"soon"} → ""`,
	);

	it("have at most ten fields, n8n's rule for Simplify", () => {
		const lists = recordings.filter((name) => name.includes('__fetchInstances__')).map(bodyOf);
		const all = lists.flatMap((body) => readInstances(body)?.map(simplifyInstance) ?? []);
		expect(Math.max(...all.map((one) => Object.keys(one).length))).toBe(10);
	});
});

describe('links', () => {
	const URL = '"inviteUrl":"https://chat.whatsapp.com/AbC123"';
	const LINK = `{${URL},"inviteCode":"AbC123"}`;
	testReplies(
		'come with their code, and are none where the network was silent (2.3.6)',
		orEmpty(readInviteLink),
		`${LINK} | {${URL}} | {${URL},"inviteCode":""} | {${URL},"inviteCode":null} → ${LINK}
		{"inviteUrl":"https://chat.whatsapp.com/undefined"} | {"inviteUrl":"https://x/undefined","inviteCode":"AbC123"} → "EMPTY"
		{${URL},"inviteCode":"undefined"} | {"inviteUrl":"https://x/null","inviteCode":null} | {${URL},"inviteCode":"null"} → "EMPTY"
		{"inviteUrl":"https://chat.whatsapp.com/"} | {"inviteUrl":""} → "EMPTY"
		- | null | "text" | [] | {} | {"inviteUrl":null} | {"inviteUrl":5} | {"inviteCode":"AbC123"} → -`,
	);
	testReplies(
		'that are new are made of the code',
		orEmpty(readRevoked),
		`{"revoked":true,"inviteCode":"AbC123"} | ${LINK} → ${LINK}
		{"revoked":true} | {"revoked":true,"inviteCode":""} | {"revoked":true,"inviteCode":null} → "EMPTY"
		{"revoked":true,"inviteCode":"undefined"} | {"revoked":true,"inviteCode":"null"} → "EMPTY"
		- | null | "ok" | [] | {} | {"inviteCode":"AbC123"} | {"status":500,"error":"Trouble"} → -
		{"revoked":false,${URL},"inviteCode":"AbC123"} → -`,
	);
	testReplies(
		'that are sent have what became of the message',
		readInviteSent,
		`{"send":true,${URL}} | {${URL},"sent":[{"number":"1","success":true}]} → "sent"
		{${URL},"sent":[{"number":"1","success":false,"error":"no devices"}]} → "failed"
		{${URL},"sent":[{"success":false,"error":"server returned error 463"}]} → "refusedByNetwork"
		{${URL},"sent":[]} | {${URL},"sent":[{"success":true},{"success":true}]} | {${URL},"sent":[{"success":"yes"}]} → -
		{${URL}} | {"send":false} | - → -`,
	);
	testReplies(
		'in a message may not work',
		hasInviteLink,
		`{${URL}} → true
		{"send":true,"inviteUrl":"https://x/undefined"} | {"send":true,"inviteUrl":"https://x/null"} | {"send":true} | - → false`,
	);
});

describe('members', () => {
	const NUMBER = '5511999990010@s.whatsapp.net';
	const HIDDEN = '168513008080844@lid';
	const both = `lid:168513008080844 phone:5511999990010 | ${HIDDEN} | 5511999990010`;
	const members = (...participants: unknown[]) => readMembers({ participants });
	const told = (rows: unknown) =>
		members(...[rows].flat())?.map(({ ids, lid, number }) =>
			[
				ids
					.map(({ key }) => key)
					.sort()
					.join(' '),
				lid ?? '',
				number ?? '',
			].join(' | '),
		);
	testReplies(
		'are known by all their IDs, in whatever field',
		told,
		`{"id":"${NUMBER}","admin":null} | {"jid":"${NUMBER}"} | {"id":"${NUMBER}","jid":"","lid":"","phoneNumber":null} → ["phone:5511999990010 |  | 5511999990010"]
		{"id":"","jid":"${NUMBER}"} | {"phoneNumber":"${NUMBER}"} → ["phone:5511999990010 |  | 5511999990010"]
		{"id":"${HIDDEN}","admin":null} | {"id":"","lid":"168513008080844"} → ["lid:168513008080844 | ${HIDDEN} | "]
		{"id":"${HIDDEN}","phoneNumber":"${NUMBER}"} | {"id":"${HIDDEN}","jid":"${NUMBER}"} → ["${both}"]
		{"id":"${HIDDEN}","phoneNumber":"5511999990010:12@s.whatsapp.net"} | {"id":"${NUMBER}","lid":"${HIDDEN}"} → ["${both}"]
		{"id":"${NUMBER}","lid":"168513008080844:3@lid"} | {"id":"${NUMBER}","lid":"168513008080844"} → ["${both}"]`,
	);
	const FAKE = '168513008080844@s.whatsapp.net';
	testReplies(
		'have no number where their hidden ID stands in its place, and are known by the digits all the same',
		told,
		`{"id":"${FAKE}"} | {"id":"168513008080844"} | {"id":"168513008080844@c.us"} → ["phone:168513008080844 |  | "]
		{"id":"${HIDDEN}","phoneNumber":"${FAKE}"} | {"id":"${HIDDEN}","jid":"${FAKE}"} → ["lid:168513008080844 phone:168513008080844 | ${HIDDEN} | "]
		{"id":"${NUMBER}","lid":"5511999990010"} → ["lid:5511999990010 phone:5511999990010 | 5511999990010@lid | "]`,
	);
	testReplies(
		'have a role, in one field or two',
		(fields) => members({ id: NUMBER, ...Object(fields) })?.[0]?.role,
		`{"admin":null} | {"admin":""} | {"admin":false} | {"isAdmin":false,"isSuperAdmin":false} | {"isSuperAdmin":false} → "member"
		{"admin":"admin"} | {"admin":true} | {"admin":"owner"} | {"admin":"superadmins"} | {"admin":"not superadmin"} → "admin"
		{"isAdmin":true,"isSuperAdmin":false} | {"isAdmin":true} | {"admin":null,"isAdmin":true} → "admin"
		{"admin":"superadmin"} | {"admin":"superAdmin"} | {"isAdmin":true,"isSuperAdmin":true} → "superAdmin"
		{"isAdmin":false,"isSuperAdmin":true} | {"admin":"admin","isAdmin":false,"isSuperAdmin":true} → "superAdmin"`,
	);

	it("have none without a field for it, and don't show one", () => {
		const [member] = members({ id: NUMBER, name: 'Ana' }) ?? [];
		expect(member).not.toHaveProperty('role');
		expect(member && simplifyMember(member)).not.toHaveProperty('role');
	});

	const apart = (rows: unknown) =>
		members(...[rows].flat())?.map(({ id, role, name }) => ({ id, role, name }));
	const [N, H] = [`"id":"${NUMBER}"`, `"id":"${HIDDEN}"`];
	testReplies(
		'are one if their rows name the same, in the place of the first and with all that any of them tells',
		apart,
		`[{${H}},{${H},"phoneNumber":"${NUMBER}"}] | [{${H}},{"id":"168513008080844:2@lid","phoneNumber":"${NUMBER}"}] → [{${H}}]
		[{${N}},{${H},"phoneNumber":"${NUMBER}"}] → [{${N}}]
		[{${N}},{${N},"admin":"superadmin","name":"Ana"},{${N},"admin":"admin","name":"A"}] → [{${N},"role":"superAdmin","name":"Ana"}]
		[{${N}},{${N},"admin":null}] → [{${N},"role":"member"}]
		[{${N},"admin":null},{${N},"admin":"admin"}] → [{${N},"role":"admin"}]
		[{${N},"admin":"admin"},{${N}}] → [{${N},"role":"admin"}]
		[{${N}},{"id":"1@lid"},{${N}}] → [{${N}},{"id":"1@lid"}]
		[{"id":"1@lid","jid":"${NUMBER}"},{"id":"2@lid","jid":"${NUMBER}","admin":null},{${N},"admin":"admin"}] → [{"id":"1@lid","role":"admin"},{"id":"2@lid","role":"member"}]`,
	);
	testReplies(
		'have a name in one line, of at most 100 characters',
		(name) => members({ id: NUMBER, name })?.[0]?.name,
		`"Ana\\n\\u202eBea" → "Ana Bea"
		"${'x'.repeat(101)}" → "${'x'.repeat(99)}…"
		"" | " " → -`,
	);
	testReplies(
		'are several if their rows contradict each other, as with a number that a gateway gives everybody',
		apart,
		`[{"id":"1@lid","phoneNumber":"${NUMBER}"},{"id":"2@lid","phoneNumber":"${NUMBER}"}] → [{"id":"1@lid"},{"id":"2@lid"}]
		[{${N}},{"id":"1@lid","phoneNumber":"${NUMBER}"},{"id":"2@lid","phoneNumber":"${NUMBER}"}] → [{${N}},{"id":"2@lid"}]
		[{"id":"meta@bot"},{"id":"other@bot"},{"id":"meta@bot"}] → [{"id":"meta@bot"},{"id":"other@bot"}]
		[{"id":"5531999990002@s.whatsapp.net"},{"id":"553199990002@s.whatsapp.net"}] → [{"id":"5531999990002@s.whatsapp.net"},{"id":"553199990002@s.whatsapp.net"}]`,
	);
	testReplies(
		'have several numbers if their rows say so',
		told,
		'[{"id":"1@lid","jid":"5511999990010"},{"id":"1@lid","jid":"5511999990011"}] → ["lid:1 phone:5511999990010 phone:5511999990011 | 1@lid | 5511999990010"]',
	);
	testReplies(
		'keep each row as it came',
		(rows) => members(...[rows].flat())?.map((one) => one.rows)[0],
		`[{${H},"imgUrl":"x"},{${H}}] → [{${H},"imgUrl":"x"},{${H}}]`,
	);
	testReplies(
		'are a list in which each has an ID',
		readMembers,
		`{"participants":[]} → []
		- | null | "" | "text" | [] | {} | {"participants":null} | {"participants":{}} | {"participants":[null]} → -
		{"participants":["5511999990010"]} | {"participants":[{}]} | {"participants":[{"id":5}]} | ${ERROR} → -
		{"participants":[{${N}},{"id":""}]} | {"status":500,"participants":[{${N}}]} | {"error":"Not Found","participants":[]} → -`,
	);
});

describe('others', () => {
	const JID = '"jid":"5521998860002@s.whatsapp.net"';
	testReplies(
		'say under which ID the network has a number',
		(reply) => {
			const found = readNumberLookup(reply, '552198860002');
			return found ? found.digits : found;
		},
		`[{"exists":true,${JID},"number":"552198860002"}] → "5521998860002"
		[{"exists":false,${JID},"number":"552198860002"}] → null
		- | null | 1006 | {} | [] | "text" | [null] | [{${JID}}] | [{"exists":"true",${JID}}] | [{"exists":true}] → -
		[{"exists":false,${JID},"number":"447700900001"}] | [{"exists":true,${JID},"number":"447700900001"}] → -
		[{"exists":true,"jid":"120363000000000101@g.us"}] | [{"exists":true,${JID}},{"exists":true,${JID}}] → -`,
	);

	const PICTURE = '"base64":"data:image/png;base64,iVBORw0KGgo="';
	testReplies(
		'have a QR code or a pairing code, or say that the instance is open',
		readQrCode,
		`{"pairingCode":null,"code":"2@x",${PICTURE},"count":1} | {"pairingCode":"",${PICTURE}} | {${PICTURE}} → {"status":"connecting","picture":"iVBORw0KGgo="}
		{"message":"Scan it",${PICTURE}} → {"status":"connecting","picture":"iVBORw0KGgo="}
		{"pairingCode":"ABCD1234","code":"2@x",${PICTURE},"count":1} → {"status":"connecting","picture":"iVBORw0KGgo=","pairingCode":"ABCD1234"}
		{"pairingCode":"ABCD1234"} → {"status":"connecting","pairingCode":"ABCD1234"}
		{"code":"2@x"} | {"count":0} | {"pairingCode":null,"code":null,"base64":null,"count":0} → {"status":"connecting"}
		{"base64":"data:image/svg+xml;base64,PHN2Zz4=","count":1} | {"base64":"https://pictures.example/1.png","count":1} → {"status":"connecting"}
		{"instance":{"instanceName":"main","state":"connecting"}} → {"status":"connecting"}
		{"instance":{"instanceName":"main","state":"open"}} | {"message":"already connected","connected":true} → {"status":"open"}
		- | null | "ok" | [] | {} | {"instance":{}} | {"instance":"main"} | {"qr":"x"} | {"error":true,"message":"x",${PICTURE}} → -
		{"status":500,"error":"Internal Server Error","count":0} → -`,
	);
});
