import type { Action } from '../../../nodes/MessagingGateway/domain/group/outcomes';
import { planRequests, type PlannedRequest } from '../../../nodes/MessagingGateway/domain/group/plan';
import { readRows } from '../../../nodes/MessagingGateway/domain/group/replyRows';
import { plannedResults, resultsOf } from '../../../nodes/MessagingGateway/domain/group/results';
import { load } from '../../recordings';
import { person } from '../support';

const A = '5511999990001';
const B = '5521988880002';
const C = '4915112345678';
const LID = '199999999999777@lid';

function request(sent: string[], action: Action = 'add'): PlannedRequest {
	const change = { item: 0, instance: 'main', groupJid: '1@g.us', action, participants: sent.map(person) };
	const [planned] = planRequests([change], { combineItems: true, batchSize: 5000 });
	if (!planned) throw new Error('a request was expected');
	return planned;
}

const jidOf = (number: string) => `${number}@s.whatsapp.net`;
const row = (status: string, jid: string) => ({ status, jid });
/** A row that names a person by a hidden ID and their number. */
const lidRow = (status: string, lid: string, phone: string) => ({
	status,
	jid: lid,
	content: { tag: 'participant', attrs: { jid: lid, phone_number: phone } },
});

/** The outcome of each participant, for the rows of the reply. */
function outcomes(sent: string[], rows: unknown[], action: Action = 'add'): string[] {
	return resultsOf(request(sent, action), { updateParticipants: rows }).map(({ outcome }) => outcome);
}

const only = (reply: unknown, action: Action = 'add') => resultsOf(request([A], action), reply)[0];
const onlyFor = (...rows: unknown[]) => only({ updateParticipants: rows });

describe('real replies', () => {
	it.each([
		['v1.8.2-SIM__updateParticipant__PUT-add-ok', ['done', 'done']],
		['v1.8.2-SIM__updateParticipant__PUT-add-403-only', ['inviteRequired']],
		['v1.8.2-SIM__updateParticipant__PUT-add-lid-group', ['done']],
		[
			'v1.8.2-SIM__updateParticipant__PUT-add-mixed',
			['done', 'inviteRequired', 'recentlyLeft', 'unchanged', 'notFound', 'blocked', 'groupFull'],
		],
		['v1.8.2-SIM__updateParticipant__PUT-demote-ok', ['done']],
		['v1.8.2-SIM__updateParticipant__PUT-promote-ok', ['done']],
		['v1.8.2-SIM__updateParticipant__PUT-remove-not-member', ['unchanged']],
		['v2.3.6-SIM__updateParticipant__POST-add-ok', ['done', 'done']],
		['v2.3.6-SIM__updateParticipant__POST-add-403-only', ['inviteRequired']],
		['v2.3.6-SIM__updateParticipant__POST-add-lid-group', ['done']],
		[
			'v2.3.6-SIM__updateParticipant__POST-add-mixed',
			['done', 'inviteRequired', 'recentlyLeft', 'unchanged', 'notFound', 'blocked', 'groupFull'],
		],
		['v2.3.6-SIM__updateParticipant__POST-no-answer-from-whatsapp', ['unconfirmed']],
		['v2.3.6-SIM__updateParticipant__POST-promote-ok', ['done']],
		['v2.3.6-SIM__updateParticipant__POST-remove-not-member', ['unchanged']],
		['v2.3.6-SIM__updateParticipant__POST-remove-ok', ['done']],
	])('%s: %j', (name, expected) => {
		const { request: sent, response } = load(name);
		const { participants, action } = sent.body as PlannedRequest;
		const results = resultsOf(request(participants, action), response.body);

		expect(results.map(({ outcome }) => outcome)).toEqual(expected);
		expect(results.map(({ sentAs }) => sentAs)).toEqual(participants);
	});

	it.each([
		['v1.8.2-SIM__updateParticipant__PUT-normalisation', '5511999990006:12@s.whatsapp.net'],
		['v2.3.6-SIM__updateParticipant__POST-normalisation', '5511999990006@s.whatsapp.net'],
	])('%s: numbers are found under what the gateway made of them', (name, device) => {
		const expected = {
			'5531999990002': '553199990002@s.whatsapp.net',
			'5531699990003': '553199990003@s.whatsapp.net',
			'5521999990004': '5521999990004@s.whatsapp.net',
			'5215512345678': '525512345678@s.whatsapp.net',
			'525512345678': '525512345678@s.whatsapp.net',
			'5491112345678': '541112345678@s.whatsapp.net',
			'541112345678': '541112345678@s.whatsapp.net',
			'5511999990001@s.whatsapp.net': '5511999990001@s.whatsapp.net',
			'5511999990005@c.us': '5511999990005@s.whatsapp.net',
			'5511999990006:12@s.whatsapp.net': device,
			'199999999999999@lid': '199999999999999@lid',
			'1234567890': '1234567890@s.whatsapp.net',
		};
		const results = resultsOf(request(Object.keys(expected)), load(name).response.body);

		expect(Object.fromEntries(results.map(({ sentAs, jid }) => [sentAs, jid]))).toEqual(expected);
		expect(results.every(({ outcome }) => outcome === 'done')).toBe(true);
	});
});

describe('a result', () => {
	it('has everything that is known', () => {
		const { response } = load('v2.3.6-SIM__updateParticipant__POST-add-403-only');

		expect(resultsOf(request(['5511999990403']), response.body)).toEqual([
			{
				instance: 'main',
				groupJid: '1@g.us',
				action: 'add',
				participant: '5511999990403',
				sentAs: '5511999990403',
				jid: '5511999990403@s.whatsapp.net',
				outcome: 'inviteRequired',
				applied: false,
				code: '403',
				message: "Can't be added because of their privacy settings. Send them an invite instead.",
				inviteCode: 'cV0oyyBsD49e6Plw',
				inviteExpiresAt: '2025-09-28T02:55:18.000Z',
			},
		]);
	});

	it('leaves out what is not known', () => {
		expect(only({ updateParticipants: [] })).toStrictEqual({
			instance: 'main',
			groupJid: '1@g.us',
			action: 'add',
			participant: A,
			sentAs: A,
			outcome: 'unconfirmed',
			applied: null,
			message: expect.stringContaining('did not say clearly what became of this participant'),
		});
	});

	it('has the participant as the item gave it', () => {
		const participants = [{ given: '+55 11 99999-0001', sentAs: A }];
		const [planned] = planRequests(
			[{ item: 0, instance: 'main', groupJid: '1@g.us', action: 'add', participants }],
			{ combineItems: true, batchSize: 50 },
		);

		expect(planned && resultsOf(planned, [row('200', jidOf(A))])).toEqual([
			expect.objectContaining({ participant: '+55 11 99999-0001', sentAs: A, outcome: 'done' }),
		]);
	});

	it('is given to every mention of a participant', () => {
		expect(outcomes([A, B, A], [row('200', jidOf(A)), row('403', jidOf(B))])).toEqual([
			'done',
			'inviteRequired',
			'done',
		]);
	});

	it('names the participant as the gateway does', () => {
		expect(onlyFor(lidRow('200', LID, jidOf(A)))).toMatchObject({ jid: LID, outcome: 'done' });
	});

	it.each([
		[{ status: '200', jid: '' }],
		[{ status: '200' }],
		[{ status: '200', jid: null }],
		[{ status: '200', content: { attrs: { phone_number: jidOf(A) } } }],
	])('has no jid where the gateway gives none: %j', (reply) => {
		expect(onlyFor(reply)).not.toHaveProperty('jid');
	});

	it('is found by the attributes where the row itself names nobody', () => {
		const rows = [
			{ status: '200', jid: '', content: { attrs: { jid: jidOf(B) } } },
			{ status: '403', content: { attrs: { jid: jidOf(A) } } },
			row('408', jidOf(C)),
		];

		expect(outcomes([A, B, C], rows)).toEqual(['inviteRequired', 'done', 'recentlyLeft']);
	});
});

describe('the code of a row', () => {
	it.each([
		['200', { status: '200' }],
		['200', { status: 200 }],
		['200', { status: ' 200 ' }],
		['403', { content: { attrs: { error: '403' } } }],
		['403', { status: '', content: { attrs: { error: 403 } } }],
	])('is %s in %j', (code, reply) => {
		expect(onlyFor({ jid: jidOf(A), ...reply })?.code).toBe(code);
	});

	it.each([
		[{}],
		[{ status: null }],
		[{ status: '' }],
		[{ status: true }],
		[{ status: ['200'] }],
		[{ status: {} }],
	])('is not known in %j', (reply) => {
		const result = onlyFor({ jid: jidOf(A), ...reply });

		expect(result).toMatchObject({ outcome: 'unconfirmed', applied: null });
		expect(result).not.toHaveProperty('code');
	});

	it.each<[Action, string, string, boolean]>([
		['add', '409', 'unchanged', true],
		['remove', '404', 'unchanged', true],
		['promote', '404', 'notFound', false],
		['demote', '404', 'notFound', false],
		['remove', '403', 'rejected', false],
		['add', '421', 'pendingApproval', false],
		['add', '599', 'rejected', false],
	])('means on %s: %s is %s', (action, code, outcome, applied) => {
		expect(only([row(code, jidOf(A))], action)).toMatchObject({ code, outcome, applied });
	});
});

describe('an invite', () => {
	const withInvite = (attrs: unknown) => ({
		...row('403', jidOf(A)),
		content: {
			content: [null, { tag: 'other', attrs: { code: 'x' } }, 'text', { tag: 'add_request', attrs }],
		},
	});

	it('has a code and a time', () => {
		expect(onlyFor(withInvite({ code: 'abc', expiration: '1759028118' }))).toMatchObject({
			inviteCode: 'abc',
			inviteExpiresAt: '2025-09-28T02:55:18.000Z',
		});
	});

	it('may have the time as a number', () => {
		expect(onlyFor(withInvite({ expiration: 1759028118 }))).toMatchObject({
			inviteExpiresAt: '2025-09-28T02:55:18.000Z',
		});
	});

	it.each([
		[undefined],
		[null],
		[''],
		['  '],
		['soon'],
		[true],
		[[]],
		[{}],
		['1e9'],
		['1e300'],
		['-5'],
		['5 seconds'],
		['NaN'],
		[['1759028118']],
		[-1e20],
		[{ toString: 1, valueOf: 1 }],
		[[{ toString: null }]],
	])('has no time where the gateway gives %j', (expiration) => {
		const result = onlyFor(withInvite({ code: 'abc', expiration }));

		expect(result).toMatchObject({ outcome: 'inviteRequired', inviteCode: 'abc' });
		expect(result).not.toHaveProperty('inviteExpiresAt');
	});

	it.each([[[]], [['text']], [[{ tag: 'other', attrs: { code: 'x' } }]]])('is none in %j', (content) => {
		expect(onlyFor({ ...row('403', jidOf(A)), content: { content } })).not.toHaveProperty('inviteCode');
	});

	it.each([[null], ['abc'], [{}], [{ code: 5 }], [{ code: null }]])('has no code in %j', (attrs) => {
		expect(onlyFor(withInvite(attrs))).not.toHaveProperty('inviteCode');
	});
});

describe('a reply', () => {
	it.each([
		[undefined],
		[null],
		[''],
		['ok'],
		[5],
		[true],
		[{}],
		[{ updateParticipants: null }],
		[{ status: 201 }],
	])('without a list is accepted: %j', (reply) => {
		expect(only(reply)).toMatchObject({ outcome: 'accepted', applied: null });
	});

	it.each([
		[[]],
		[{ updateParticipants: [] }],
		[{ updateParticipants: [null, 'text', 5, []] }],
		[{ updateParticipants: [{}] }],
	])('with a list that says nothing of a participant leaves them unconfirmed: %j', (reply) => {
		expect(only(reply)).toMatchObject({ outcome: 'unconfirmed', applied: null });
	});

	it('may be a bare list', () => {
		expect(only([row('200', jidOf(A))])).toMatchObject({ outcome: 'done', applied: true });
	});

	it('is read from its own fields only', () => {
		const reply: unknown = JSON.parse(
			`{"__proto__": {"updateParticipants": [{"status": "200", "jid": "${A}"}]}}`,
		);

		expect(only(reply)?.outcome).toBe('accepted');
	});

	it('may name 2000 participants', () => {
		const sent = Array.from({ length: 2000 }, (_, i) => String(4_915_100_000_000 + i));
		const rows = [...sent].reverse().map((number, i) => row(i % 2 ? '200' : '403', jidOf(number)));
		const expected = sent.map((_, i) => (i % 2 ? 'inviteRequired' : 'done'));

		expect(outcomes(sent, rows)).toEqual(expected);
	});

	it('is read as a list of rows, invites and all', () => {
		expect(readRows({ updateParticipants: [lidRow('200', LID, jidOf(A)), 'text', { status: 403 }] })).toEqual(
			[{ jid: LID, phoneNumber: jidOf(A), code: '200' }, {}, { code: '403' }],
		);
	});
});

describe('a participant is found', () => {
	it.each<[string, string[], unknown[], string[]]>([
		['in any order', [A, B], [row('403', jidOf(B)), row('200', jidOf(A))], ['done', 'inviteRequired']],
		[
			'by phone number before anything else',
			[A, B],
			[lidRow('403', jidOf(A), jidOf(B)), lidRow('200', jidOf(B), jidOf(A))],
			['done', 'inviteRequired'],
		],
		['without a suffix', [A, B], [row('403', A), row('200', B)], ['inviteRequired', 'done']],
		[
			'with a device',
			[A, B],
			[row('403', `${A}:12@s.whatsapp.net`), row('200', `${B}@c.us`)],
			['inviteRequired', 'done'],
		],
		['by an old ID', [A, B], [row('403', `${A}@c.us`), row('200', `${B}@c.us`)], ['inviteRequired', 'done']],
		['by ID', [jidOf(A), LID], [row('200', LID), row('403', jidOf(A))], ['inviteRequired', 'done']],
		[
			'as a Brazilian mobile number that lost a digit',
			['5531999990002', B],
			[row('200', '553199990002@s.whatsapp.net'), row('403', jidOf(B))],
			['done', 'inviteRequired'],
		],
		[
			'as Argentine and Mexican numbers that lost a digit',
			['5491112345678', '5215512345678', B],
			[
				row('200', '541112345678@s.whatsapp.net'),
				row('403', '525512345678@s.whatsapp.net'),
				row('408', jidOf(B)),
			],
			['done', 'inviteRequired', 'recentlyLeft'],
		],
		[
			'by a phone number that lost a digit',
			['5531999990002', B],
			[lidRow('200', LID, '553199990002@s.whatsapp.net'), lidRow('403', '2@lid', jidOf(B))],
			['done', 'inviteRequired'],
		],
		[
			'as a Brazilian mobile number of the old kind that lost a digit',
			['5531979990002', '5598999990003', B],
			[row('200', '553179990002@s.whatsapp.net'), row('403', '559899990003@s.whatsapp.net')],
			['done', 'inviteRequired', 'unconfirmed'],
		],
		[
			'by an old ID that lost a digit, which gateways take for a number',
			['5531999990002@c.us', B],
			[row('200', '553199990002@s.whatsapp.net'), row('403', '2@lid')],
			['done', 'inviteRequired'],
		],
		[
			'by its JID, where the phone number is the same one before the gateway shortened it',
			['553199990002', B, C],
			[lidRow('200', jidOf('553199990002'), jidOf('5531999990002')), row('403', jidOf(B))],
			['done', 'inviteRequired', 'unconfirmed'],
		],
		[
			'in a row of its own, where another was sent by what the gateway makes of the number',
			['5531999990002', '553199990002'],
			[row('200', jidOf('5531999990002')), row('403', jidOf('553199990002'))],
			['done', 'inviteRequired'],
		],
		[
			'in a row of its own, where a hidden ID was sent whose number is what the gateway makes of it',
			['5531999990002', LID],
			[row('403', jidOf('5531999990002')), lidRow('200', LID, jidOf('553199990002'))],
			['inviteRequired', 'done'],
		],
		['as the one left', [A, B], [row('403', jidOf(B)), row('200', LID)], ['done', 'inviteRequired']],
		['as the only one', [A], [{ status: '200' }], ['done']],
		['once for two spellings of the same person', [A, jidOf(A)], [row('200', jidOf(A))], ['done', 'done']],
		[
			'in the row of its own spelling, where the gateway shortened only the other',
			['5531999990002', '5531999990002@s.whatsapp.net'],
			[row('403', '553199990002@s.whatsapp.net'), row('200', '5531999990002@s.whatsapp.net')],
			['inviteRequired', 'done'],
		],
	])('%s', (_, sent, rows, expected) => {
		expect(outcomes(sent, rows)).toEqual(expected);
		expect(outcomes([...sent].reverse(), [...rows].reverse())).toEqual([...expected].reverse());
	});
});

describe('nobody is done on a guess', () => {
	const unconfirmed = 'unconfirmed';

	it.each<[string, string[], unknown[], string[]]>([
		['where two are left, and one row', [A, B], [row('200', LID)], [unconfirmed, unconfirmed]],
		['where one is left, and two rows', [A], [row('200', LID), row('200', '2@lid')], [unconfirmed]],
		[
			'where two rows and two people are left',
			[A, B],
			[row('200', LID), row('200', '2@lid')],
			[unconfirmed, unconfirmed],
		],
		[
			'by a row for somebody else',
			[A, B],
			[row('200', jidOf(A)), row('200', jidOf(A))],
			['done', unconfirmed],
		],
		[
			'by a row for somebody else under their number',
			[A, B],
			[lidRow('200', LID, jidOf(A)), row('200', LID)],
			['done', unconfirmed],
		],
		[
			'by a row for somebody else who is also there under a hidden ID',
			[A, B],
			[lidRow('200', LID, jidOf(A)), row('200', jidOf(A))],
			['done', unconfirmed],
		],
		[
			'by a row for somebody else under what the gateway made of their number',
			['5531999990002', B],
			[row('200', jidOf('5531999990002')), row('200', '553199990002@s.whatsapp.net')],
			['done', unconfirmed],
		],
		[
			'by a hidden ID that happens to have the digits of a number',
			[A, B, C],
			[row('200', `${A}@lid`), row('200', `${B}@lid`), row('200', `${C}@lid`)],
			[unconfirmed, unconfirmed, unconfirmed],
		],
		[
			'by a number that happens to have the digits of a hidden ID',
			[LID, B],
			[row('200', '199999999999777@s.whatsapp.net'), row('200', '2@lid')],
			[unconfirmed, unconfirmed],
		],
		[
			'by a Brazilian number that the gateway does not shorten',
			['5521999990004', B],
			[row('200', '552199990004@s.whatsapp.net'), row('200', '2@lid')],
			[unconfirmed, unconfirmed],
		],
		[
			'by a landline that the gateway does not shorten',
			['5531933334444', B],
			[row('200', '553133334444@s.whatsapp.net'), row('200', '2@lid')],
			[unconfirmed, unconfirmed],
		],
		[
			'by a number with the digits of a Brazilian one in it',
			['125531999990002', '55319999900021'],
			[row('200', '12553199990002@s.whatsapp.net'), row('200', '5531999900021@s.whatsapp.net')],
			[unconfirmed, unconfirmed],
		],
		[
			'by a number with the digits of an Argentine or Mexican one in it',
			['125491112345678', '52155123456789'],
			[row('200', '12541112345678@s.whatsapp.net'), row('200', '5255123456789@s.whatsapp.net')],
			[unconfirmed, unconfirmed],
		],
		[
			'by what the gateway makes of a number, where it was sent exactly',
			['5531999990002@s.whatsapp.net', B],
			[row('200', '553199990002@s.whatsapp.net'), row('200', '2@lid')],
			[unconfirmed, unconfirmed],
		],
		[
			'by digits in another place',
			[A, B],
			[row('200', `1${jidOf(A)}`), row('200', `x${jidOf(B)}`)],
			[unconfirmed, unconfirmed],
		],
		[
			'by a row that names nobody, where who was sent is no person either',
			['status@broadcast', B],
			[row('200', 'nobody'), row('200', '2@broadcast')],
			[unconfirmed, unconfirmed],
		],
		[
			'by digits with something else behind them',
			[A, B],
			[row('200', `${A}x`), row('200', `${B} or another`)],
			[unconfirmed, unconfirmed],
		],
		[
			'where the reply contradicts itself',
			[A, B],
			[row('200', jidOf(A)), row('403', jidOf(A)), row('200', jidOf(B))],
			[unconfirmed, 'done'],
		],
		[
			'where two numbers became one, and the reply contradicts itself',
			['5531999990002', '553199990002'],
			[row('200', '553199990002@s.whatsapp.net'), row('403', '553199990002@s.whatsapp.net')],
			[unconfirmed, unconfirmed],
		],
		[
			'where one row has a code and another about the same person has none',
			[A, B],
			[row('403', jidOf(A)), { jid: jidOf(A) }, row('200', jidOf(B))],
			[unconfirmed, 'done'],
		],
		[
			'where a row about the same person is under another ID',
			[A],
			[lidRow('200', LID, jidOf(A)), row('403', jidOf(A))],
			[unconfirmed],
		],
		[
			'where a row about the same person has only their hidden ID',
			[A],
			[lidRow('200', LID, jidOf(A)), row('403', LID)],
			[unconfirmed],
		],
		[
			'where a row about the same person is under what the gateway made of their number',
			['5531999990002', B],
			[row('200', jidOf('5531999990002')), row('403', jidOf('553199990002')), row('200', jidOf(B))],
			[unconfirmed, 'done'],
		],
		[
			'where the hidden ID and the number of one person were sent, and the reply contradicts itself',
			[A, LID],
			[lidRow('200', LID, jidOf(A)), row('403', LID)],
			[unconfirmed, unconfirmed],
		],
		[
			'by a row that is about somebody else by its phone number',
			[A, B],
			[lidRow('200', jidOf(A), jidOf(B))],
			[unconfirmed, 'done'],
		],
		[
			'by a row about another person, whose own row contradicts it',
			[A, B],
			[lidRow('200', jidOf(A), jidOf(B)), row('403', jidOf(B))],
			[unconfirmed, unconfirmed],
		],
		['by a row about the group', [A], [row('200', '120363000000000001@g.us')], [unconfirmed]],
		['by a row about a group of the old kind', [A], [row('200', `${A}-1612345678`)], [unconfirmed]],
		['by the row that is left, beside one that is none', [A], [row('200', LID), 'text'], [unconfirmed]],
		[
			'by the row that is left, beside one in a list',
			[A],
			[row('200', LID), [row('403', jidOf(A))]],
			[unconfirmed],
		],
		['by a row without a code', [A, B], [{ jid: jidOf(A) }, row('200', jidOf(B))], [unconfirmed, 'done']],
	])('%s', (_, sent, rows, expected) => {
		expect(outcomes(sent, rows)).toEqual(expected);
		expect(outcomes([...sent].reverse(), [...rows].reverse())).toEqual([...expected].reverse());
	});

	it('by the row that is left, where another row is about what the gateway made of their number', () => {
		const rows = [row('403', '553199990002@s.whatsapp.net'), row('200', LID)];

		expect(outcomes(['5531999990002', '553199990002'], rows)).not.toContain('done');
	});
});

describe('a dry run', () => {
	it('has a planned result for each participant, in order', () => {
		expect(plannedResults(request([A, B, A], 'remove'))).toEqual(
			[A, B, A].map((number) => ({
				instance: 'main',
				groupJid: '1@g.us',
				action: 'remove',
				participant: number,
				sentAs: number,
				outcome: 'planned',
				applied: null,
				message: expect.stringContaining('nothing was sent'),
			})),
		);
	});
});

describe('a row with an error', () => {
	it.each([
		[{ content: { attrs: { error: '403' } } }],
		[{ content: { error: '403' } }],
		[{ error: 403 }],
		[{ error: '403', content: { attrs: { error: '403' } } }],
	])('has its code, whatever its status: %j', (more) => {
		expect(outcomes([A], [{ ...row('200', jidOf(A)), ...more }])).toEqual(['inviteRequired']);
	});

	it.each<[Action, object]>([
		['add', { status: '409', content: { attrs: { error: '404' } } }],
		['remove', { status: '404', content: { attrs: { error: '403' } } }],
		['remove', { status: '404', error: '500' }],
		['add', { status: '200', content: { attrs: { error: { code: '403' } } } }],
		['add', { status: '200', content: { attrs: { error: ['403'] } } }],
		['add', { status: '200', content: { attrs: { error: true } } }],
		['add', { status: '200', error: 'You are not allowed to do this' }],
		['add', { status: 'token=SECRETabc999' }],
		['add', { status: '9'.repeat(21) }],
	])('is not known where the codes differ, or one is none: %s, %j', (action, more) => {
		const result = only([{ jid: jidOf(A), ...more }], action);

		expect(result).toMatchObject({ outcome: 'unconfirmed', applied: null });
		expect(result).not.toHaveProperty('code');
	});

	it.each([
		[{ error: null }],
		[{ error: false }],
		[{ error: '' }],
		[{ content: { attrs: { error: '200' } } }],
	])('has none in %j', (more) => {
		expect(outcomes([A], [{ ...row('200', jidOf(A)), ...more }])).toEqual(['done']);
	});
});

it.each([[{ status: 400, error: 'Bad Request' }], [{ error: 'Bad Request' }], [{ status: 500 }]])(
	'a reply that says that it is an error confirms nothing, whatever its list says: %j',
	(error) => {
		const reply = { ...error, updateParticipants: [row('200', jidOf(A))] };

		expect(only(reply)).toMatchObject({ outcome: 'unconfirmed', applied: null });
	},
);
