import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS, kindsSeed, type Gateway } from '../../gateway/gateway';
import { JSON_TYPE } from '../../gateway/reply';
import { getGroups, getInviteLink, getMembers, updateGroup } from '../gateways/parameters';
import { participants, told, Trigger } from '../trigger/trigger';
import {
	describeOnEngine,
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	skipPauses,
	syncParameters,
	withGateways,
} from '../support';
import { changesAsked } from './people';

type Operation = 'sync' | 'update' | 'settings' | 'groups' | 'members' | 'link' | 'trigger';

/** What was reported of people who do this job: a gateway's list or reply, and what the node makes of it. */
interface Report {
	kind: string;
	name: string;
	operation: Operation;
	parameters?: object;
	rows?: object[];
	/** What the gateway gives as the members of the group; for the trigger at each poll. */
	members?: object[];
	polls?: object[][];
	/** What it gives at another path. */
	reply?: { on: string; status: number; body: unknown };
	/** Whether it tells nobody's own account. */
	hidesAccount?: boolean;
	/** A text for which it refuses a whole request. */
	refuses?: string;
	gives: string[];
	/** What the messages say, as a regular expression. */
	says?: string;
	/** What is sent. */
	sent?: string[];
	/** Numbers that can't be found, and the hint about it or about hidden ones; `null` where there is none. */
	notOnNetwork?: string[];
	hint?: string | null;
}

const reports = readFileSync(join(__dirname, '../../fixtures/mistaken.jsonl'), 'utf8')
	.trimEnd()
	.split('\n')
	.map((line): Report => JSON.parse(line));
const about = { instance: 'keeper', group: KINDS.numbers };
const PARAMETERS: Record<Exclude<Operation, 'trigger'>, (more: object) => object> = {
	sync: (more) => syncParameters({ ...more }),
	update: (more) => groupParameters({ ...about, ...more }),
	settings: (fields) => updateGroup(fields, KINDS.numbers, 'keeper'),
	groups: (more) => getGroups('keeper', more),
	members: (more) => getMembers(KINDS.numbers, 'keeper', more),
	link: (more) => getInviteLink(KINDS.numbers, 'keeper', more),
};

describeOnEngine('nobody is taken for somebody else, and nothing for done', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	const list = (gateway: Gateway, members: object[]) =>
		answer(gateway, { on: '/group/participants/', status: 200, body: { participants: members } });
	function answer(gateway: Gateway, { on, status, body }: NonNullable<Report['reply']>) {
		const response = { status, contentType: JSON_TYPE, body };
		gateway.replay({ response }, ({ path }) => path.startsWith(on));
	}

	async function poll(gateway: Gateway, polls: object[][]): Promise<string[]> {
		const trigger = new Trigger(engine(), gateway, participants());
		const all: string[] = [];
		for (const members of polls) {
			list(gateway, members);
			all.push(...told(await trigger.items()));
		}
		return all;
	}

	it.each(reports.map((report) => [report.kind, report.name, report] as const))(
		'%s: %s',
		async (_kind, _name, { operation, parameters = {}, rows = [{}], ...report }) => {
			const unknown = (report.notOnNetwork ?? []).map((number) => [number, 'notOnNetwork'] as const);
			const seed = { ...kindsSeed, people: { ...kindsSeed.people, ...Object.fromEntries(unknown) } };
			const gateway = await start({ generation: '2.3', seed });
			if (operation === 'trigger') {
				expect(await poll(gateway, report.polls ?? [])).toEqual(report.gives);
				return;
			}
			if (report.members) list(gateway, report.members);
			if (report.reply) answer(gateway, report.reply);
			if (report.hidesAccount)
				gateway.fault({ kind: '500', on: ({ path }) => path.startsWith('/instance/') });
			const { refuses } = report;
			if (refuses)
				gateway.fault({
					kind: 'forbidden',
					body: { status: 400, response: { message: ['Error updating participants', 'Error: bad-request'] } },
					on: ({ body }) => JSON.stringify(body ?? '').includes(refuses),
				});
			const all = PARAMETERS[operation](parameters);
			const { main, hints } = await runNode(engine(), gateway, all, rows, REGULAR_OUTPUT);
			const gives = main.map(
				({ json: { participant, name, outcome, applied, reason, error, createdAt } }) => {
					if (operation === 'groups') return createdAt ?? 'none';
					if (operation === 'members') return `${String(participant)} ${String(name)}`;
					if (participant === undefined) return outcome ?? (error ? 'fails' : 'done');
					return `${String(participant)}: ${[outcome, applied, reason]
						.filter((it) => it !== undefined)
						.map(String)
						.join(' ')}`;
				},
			);
			expect(gives).toEqual(report.gives);
			if (report.says)
				expect(main.map(({ json }) => json.message).join(' ')).toMatch(new RegExp(report.says));
			if (report.hint !== undefined)
				expect(hints.find((hint) => /one person|without a phone number/.test(hint)) ?? null).toBe(
					report.hint,
				);
			// Generation 2 lacks the published form of a route.
			const calls = gateway.calls.filter(({ status }) => status !== 404);
			const sent = changesAsked({ calls }).map((asked) => [asked.action, ...asked.participants].join(' '));
			if (report.sent) expect(sent).toEqual(report.sent);
		},
	);
});
