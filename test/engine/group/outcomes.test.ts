import { inviteExpiration } from '../../gateway/gateway';
import { describeOnEngine, groupParameters, runNode, seedWith, tell, withGateways } from '../support';
import { changesAsked, CUSTOMERS, HIDDEN_NUMBERS, jidOf, JUST_ME, phones } from './people';

const THREE_AT_MOST = '120363000000000004@g.us';
const BY_APPROVAL = '120363000000000005@g.us';
const SILENT = '120363000000000007@g.us';
const MEMBER = '5511990000002';
const INVITED = '5511990000403';

const expiry = new Date(Number(inviteExpiration) * 1000).toISOString();
const seed = seedWith((it) => {
	it.silenceMs = 0;
	// Full, from the start.
	it.instances[0]?.groups.find(({ jid }) => jid === THREE_AT_MOST)?.members.push('5511990000003');
});

interface Case {
	phone: string;
	action: string;
	group: string;
	outcome: string;
	applied: boolean | null;
	code?: string;
	says: RegExp;
	invite?: true;
}
type Said = [phone: string, outcome: string, applied: boolean | null, code: string | undefined, says: RegExp];
const of =
	(action: string, group = CUSTOMERS) =>
	(...[phone, outcome, applied, code, says]: Said): Case => ({
		...{ phone, action, group, outcome, applied, says },
		...(code !== undefined && { code }),
	});
const add = of('add');
const remove = of('remove');
const [stranger = '', other = ''] = phones(2);

const cases: Case[] = [
	add(stranger, 'done', true, '200', /added/i),
	remove(stranger, 'done', true, '200', /removed/i),
	of('promote')(MEMBER, 'done', true, '200', /admin/i),
	of('demote')(MEMBER, 'done', true, '200', /admin/i),
	add(MEMBER, 'unchanged', true, '409', /already a member/i),
	remove(other, 'unchanged', true, '404', /not a member/i),
	add('5511990000404', 'notFound', null, '404', /not on the network.*551190000404/i),
	of('promote')(stranger, 'notFound', false, '404', /not a member/i),
	of('demote')(stranger, 'notFound', false, '404', /not a member/i),
	{ ...add(INVITED, 'inviteRequired', false, '403', /invite/i), invite: true },
	add('5511990000417', 'inviteRequired', false, '417', /invite/i),
	add('5511990000408', 'recentlyLeft', false, '408', /left/i),
	of('add', THREE_AT_MOST)(stranger, 'groupFull', false, '419', /full/i),
	of('add', BY_APPROVAL)(stranger, 'pendingApproval', false, '421', /approv/i),
	add('5511990000401', 'blocked', false, '401', /blocked/i),
	add('5511990000500', 'rejected', false, '500', /\b500\b/),
	of('add', SILENT)(stranger, 'unconfirmed', null, undefined, /no clear result/),
];

describeOnEngine('what becomes of each participant', (engine) => {
	const start = withGateways();
	const parameters = groupParameters({ group: '={{ $json.group }}', action: '={{ $json.action }}' });

	it('says it for each code and action', async () => {
		const gateway = await start({ seed });
		const { main, error } = await runNode(engine(), gateway, parameters, cases);
		expect(error).toBeUndefined();
		expect(main).toHaveLength(cases.length);
		main.forEach(({ json, pairedItem }, item) => {
			const { phone, action, group, outcome, applied, code, invite } =
				cases[item] ?? add('', '', null, '', /./);
			expect(json).toEqual({
				instance: 'main',
				groupJid: group,
				action,
				participant: phone,
				sentAs: phone,
				...(code !== undefined && { jid: jidOf(phone), code }),
				outcome,
				applied,
				message: expect.stringMatching(/^[A-Z][^\n]*\.$/),
				...(invite && { inviteCode: expect.stringMatching(/^[\w-]{16}$/), inviteExpiresAt: expiry }),
			});
			expect(json.message).toMatch(cases[item]?.says ?? /never/);
			expect(pairedItem).toEqual({ item });
		});
	});

	it('finds people in a group that knows them by hidden ids', async () => {
		const gateway = await start();
		const [a = '', b = ''] = phones(2);
		const items = [{ phone: [a, MEMBER, INVITED, b] }];
		const { main } = await runNode(engine(), gateway, groupParameters({ group: HIDDEN_NUMBERS }), items);
		expect(tell(main, 'participant', 'outcome', 'code')).toBe(
			`${a} done 200, ${MEMBER} unchanged 409, ${INVITED} inviteRequired 403, ${b} done 200`,
		);
		for (const { json } of main) expect(json.jid).toMatch(/^\d+@lid$/);
		expect(gateway.group('main', HIDDEN_NUMBERS)?.members).toEqual(
			expect.arrayContaining([main[0]?.json.jid, main[3]?.json.jid]),
		);
	});

	it('finds people whose numbers the gateway rewrites', async () => {
		const gateway = await start({
			seed: seedWith(({ people }) => (people['553199990003@s.whatsapp.net'] = 'notOnNetwork')),
		});
		const pairs = [
			['5531999990002', '553199990002'],
			['5531999990003', '553199990003'],
			['5521999990002', '5521999990002'],
			['5215512345678', '525512345678'],
			['5491112345678', '541112345678'],
			[stranger, stranger],
		] as const;
		const items = [{ phone: pairs.map(([given]) => given) }];
		const { main } = await runNode(engine(), gateway, groupParameters(), items);
		expect(main.map(({ json }) => [json.participant, json.sentAs, json.jid, json.outcome])).toEqual(
			pairs.map(([given, jid], i) => [given, given, jidOf(jid), i === 1 ? 'notFound' : 'done']),
		);
	});

	it('sends numbers exactly as given where that is asked for', async () => {
		const gateway = await start();
		const given = ['5531999990002', '+52 1 55 1234-5678', '5491112345678', '99887766554433@lid'];
		const parametersExact = groupParameters({ options: { exactNumbers: true } });
		const { main } = await runNode(engine(), gateway, parametersExact, [{ phone: given }]);
		const jids = ['5531999990002', '5215512345678', '5491112345678'].map(jidOf);
		expect(changesAsked(gateway)[0]?.participants).toEqual([...jids, '99887766554433@lid']);
		expect(main.map(({ json }) => [json.participant, json.sentAs, json.jid, json.outcome])).toEqual(
			[...jids, '99887766554433@lid'].map((jid, i) => [given[i], jid, jid, 'done']),
		);
	});

	it('does not give one spelling of a number the result of another', async () => {
		// The plain number is rewritten to 5531 9999-0002, the JID is not: two people for the network.
		const gateway = await start({
			seed: seedWith(({ people }) => (people['553199990002@s.whatsapp.net'] = 'inviteOnly')),
		});
		const items = [{ phone: '5531999990002' }, { phone: '5531999990002@s.whatsapp.net' }];
		const { main } = await runNode(engine(), gateway, groupParameters({ group: JUST_ME }), items);
		expect(gateway.group('main', JUST_ME)?.members).toEqual(['5511990000001', '5531999990002'].map(jidOf));
		expect(main[0]?.json).not.toMatchObject({ applied: true });
		expect(main[1]?.json).not.toMatchObject({ applied: false });
	});
});
