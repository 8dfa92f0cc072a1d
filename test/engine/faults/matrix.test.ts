import { isDeepStrictEqual } from 'node:util';
import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { faultKinds, startGateway, type Call, type Gateway, type GroupSnapshot } from '../../gateway/gateway';
import { startEngine, type Engine, type EngineLine } from '../engine';
import { skipPauses, withAttempts, withEngine, withPatience, type NodeSettings } from '../support';
import { NEWCOMERS, runOnce, subjects, subjectOf, type Attempt, type Subject } from './attempts';
import { canariesIn, canarySeed } from './canaries';
import { hurriedCopy } from './hurried';
import { expectedInvite, expectedOf, expectedWrite, matrix, type Row } from './matrix';
import { CUSTOMERS } from '../../gateway/seed';
import { lines, thorough } from '../../thorough';

interface Case {
	title: string;
	line: EngineLine;
	subject: Subject;
	row: Row;
	onError: NonNullable<NodeSettings['onError']>;
}

/** What came of a case, and what the gateway saw of it. */
interface Tried extends Attempt {
	calls: readonly Call[];
	before: GroupSnapshot[];
	after: GroupSnapshot[];
	/** How many invites were sent. */
	messages: number;
}

/** Faults that end with the time for a reply. */
const silent = new Set(['101', 'hang', 'hang-after', 'slow-body']);

/** Refusals after which nothing more is sent to the instance, or no change to the group. */
const stopping = new Set([
	'401',
	'429',
	'429-retry-after',
	'rate-overlimit',
	'200-rate-overlimit',
	'forbidden',
	'redirect',
	'404-instance',
	'503-license',
]);

const continueOnFail = (subject: Subject, row: Row): Case => ({
	title: `${subject.name}, ${row.name}`,
	line: 2,
	subject,
	row,
	onError: 'continueErrorOutput',
});
const stops = (subject: Subject, row: Row, line: EngineLine): Case => ({
	title: `${subject.name}, ${row.name}, n8n ${line}.x, the run stops`,
	line,
	subject,
	row,
	onError: 'stopWorkflow',
});
const onLineOne = new Set([
	'closed',
	'self-signed',
	'reset-after',
	'truncated-body',
	'slow-body',
	'html',
	'redirect',
	'401',
	'404-route',
	'429',
	'500',
]);

/** Faults that every operation and every picker meets, also in a run that isn't thorough. */
const everywhere = new Set(['closed', 'html', '401', '429', '500']);

/** Whether to try this: each fault on one read and one change, each subject where it differs, and in a thorough run all. */
const isTried = (row: Row, { name, kind }: Subject): boolean =>
	thorough ||
	['group getParticipants', 'group updateParticipants'].includes(name) ||
	everywhere.has(row.name) ||
	name in row.except ||
	(kind === 'invite' && row.invite !== undefined) ||
	(kind === 'write' && row.change.outcome === 'accepted');

/**
 * The cases of some subjects on the lines that are asked for: the rows, and where the run stops some. By subject, so
 * that the cases of one fault aren't tried at once: huge replies would take turns at the time that each of them has.
 */
function casesOf(
	kinds: ReadonlyArray<Subject['kind']>,
	stopping: (row: Row, subject: Subject) => Case[],
): Case[] {
	return subjects
		.filter(({ kind }) => kinds.includes(kind))
		.flatMap((one) =>
			matrix.flatMap((row) => [
				...(isTried(row, one) ? [continueOnFail(one, row)] : []),
				...stopping(row, one),
			]),
		)
		.filter(({ line }) => lines.includes(line));
}

const stopsOnLineOne = (row: Row, subject: Subject): Case[] =>
	onLineOne.has(row.name) ? [stops(subject, row, 1)] : [];
/** How a run ends is the same for all that is written, and after most faults. */
const stopsOnBoth = (row: Row, subject: Subject): Case[] => [
	...(onLineOne.has(row.name) || (thorough && subject.kind === 'change') ? [stops(subject, row, 2)] : []),
	...stopsOnLineOne(row, subject),
];

const alsoOnLineOne = ['instance get', 'group getParticipants', 'searchGroups'].map(subjectOf);
const lookupCases = casesOf(['read', 'picker'], (row, subject) =>
	alsoOnLineOne.includes(subject) && !(subject.kind === 'picker' && silent.has(row.name))
		? stopsOnLineOne(row, subject)
		: [],
);
const changeCases = casesOf(['change'], stopsOnBoth);
const writeCases = casesOf(['write'], stopsOnBoth);
const inviteCases = casesOf(['invite'], stopsOnLineOne);
const allCases = [...lookupCases, ...changeCases, ...writeCases, ...inviteCases];

/** Nothing listens there. The port of a gateway that was closed could be another case's by then. */
const NOBODY = 'http://127.0.0.1:1';

/** How long the pickers of a hurried copy wait for a reply, in ms. */
const HURRIED = 800;

/** How many requests a case takes. */
function requestsOf({ subject: { name, kind }, row, onError }: Case): number {
	if (kind === 'change') return row.change.requests;
	if (kind === 'read' || kind === 'picker') return expectedOf(row, name).requests;
	if (row.change.requests === 0) return 0;
	// The second item asks for the same, and shares what became of the first.
	if (kind === 'write') return row.except[name]?.requests ?? row.change.requests;
	// The group's link, a look at earlier messages, once since the gateway lacks the route, and then each item's own, which
	// is never repeated. One that is refused without a reason has its number looked up.
	const expected = expectedInvite(row);
	if (expected === 'refused') return 6;
	if (expected === 'sent') return 4;
	const isOver = onError === 'stopWorkflow' || stopping.has(row.name);
	return expected === 'unconfirmed' || (expected === 'failed' && isOver) ? 3 : 4;
}

/** Tries one case; where the time for a reply has to run out, until the gateway saw every request before that. */
async function tryCase(engine: Engine, one: Case): Promise<Tried> {
	if (!silent.has(one.row.name)) return await tryOnce(engine, one, {});
	return await withPatience(
		async (timeout) => await tryOnce(engine, one, { timeout }),
		// On a busy machine the link before an invite can be asked for twice, which are as many requests.
		({ calls }) =>
			calls.length === requestsOf(one) &&
			(one.subject.kind !== 'invite' || calls.some(({ path }) => path.includes('/sendInvite/'))),
	);
}

/** Tries a case with a gateway of its own. */
async function tryOnce(engine: Engine, { subject, row, onError }: Case, options: object): Promise<Tried> {
	const selfSigned = row.gateway === 'self-signed';
	const gateway: Gateway = await startGateway({ seed: canarySeed(), tls: selfSigned });
	const before = gateway.snapshot();
	// The question for the live state, after what may have cost the connection, is answered with `open`, and so is what a
	// write has to know.
	const isAsked = ({ path, method }: Call) =>
		!path.startsWith('/instance/connectionState/') && !(subject.kind === 'write' && method === 'GET');
	const on = (call: Call) =>
		isAsked(call) && (subject.kind !== 'invite' || call.path.includes('/sendInvite/'));
	if (typeof row.gateway === 'object') gateway.fault({ on, ...row.gateway });
	const baseUrl = row.gateway === 'closed' ? NOBODY : gateway.url;
	const credentials = { baseUrl, apiKey: gateway.apiKey };
	const attempt = await subject.attempt(engine, credentials, { onError }, options);
	await gateway.handled();
	const after = gateway.snapshot();
	await gateway.close();
	return {
		...attempt,
		calls: gateway.calls.filter(isAsked),
		before,
		after,
		messages: gateway.messages.length,
	};
}

/** How many cases are under way at once: most of their time is spent waiting. */
const AT_ONCE = 24;

const engines = new Map(lines.map((line) => [line, withEngine(line)]));
for (const engine of engines.values()) skipPauses(engine);

/** Its pickers wait no longer for a reply than the operations do here. */
const copy = hurriedCopy(HURRIED);
let hurried: Engine | undefined;
beforeAll(async () => {
	if (lines.includes(2)) hurried = await startEngine(2, copy);
});
afterAll(async () => {
	await hurried?.stop();
	copy.remove();
});

const resultOf = withAttempts(
	allCases,
	async (one) => {
		const { line, subject, row } = one;
		const isHurried = subject.kind === 'picker' && silent.has(row.name);
		const engine = isHurried ? hurried : engines.get(line)?.();
		if (engine === undefined) throw new Error('This case has no engine');
		return await tryCase(engine, one);
	},
	AT_ONCE,
);

/** The errors of a case are n8n's own, one for each item (or one for the run), and help. */
function expectErrors(
	{ subject: { kind, items }, onError }: Case,
	tried: Tried,
	{ says, advises }: { says: RegExp; advises: RegExp },
) {
	const one = onError === 'stopWorkflow' || kind === 'picker';
	const indexes = Array.from({ length: one ? 1 : items }, (_, item) => item);
	expect(tried.items).toEqual([]);
	const name = one ? /^Node(Api|Operation)Error$/ : /^error item$/;
	expect(tried.errors.map((error) => error.name)).toEqual(indexes.map(() => expect.stringMatching(name)));
	if (kind !== 'picker') expect(tried.errors.map(({ itemIndex }) => itemIndex)).toEqual(indexes);
	for (const { message, description } of tried.errors) {
		expect(message).toMatch(says);
		// A gateway that has just started says so itself.
		expect(message.replace('properties of undefined', '')).not.toMatch(/[\p{Cc}]|undefined|\[object/u);
		expect(description).toMatch(advises);
	}
	expect(tried.failed).toHaveLength(one ? 0 : items);
	for (const item of tried.failed) expect(item).not.toHaveProperty('hasErrorBeside');
}

/** The waits that the gateway asked for were kept. */
function expectWaits({ row }: Case, { calls, elapsedMs }: Tried): void {
	if (row.name === '429-retry-after' && calls.length > 1) expect(elapsedMs).toBeGreaterThanOrEqual(1_000);
}

it('has a row for every fault of the gateway', () => {
	const rows = new Set(matrix.map(({ gateway }) => (typeof gateway === 'string' ? gateway : gateway.kind)));
	// That one goes right: test/engine/gateways/whatsmiau.test.ts.
	const kinds = faultKinds.filter((kind) => kind !== 'sent-again');
	expect([...rows].sort()).toEqual([...kinds, 'closed', 'self-signed'].sort());
});

it.each(matrix.filter(({ name }) => thorough || everywhere.has(name)))(
	'is tried on every operation and every picker: $name',
	(row) => {
		const { description, methods } = new MessagingGateway();
		const operations = description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options = [] }) =>
				options.map((one) => `${displayOptions?.show?.resource} ${'value' in one ? one.value : ''}`),
			);
		const tried = allCases
			.filter((one) => one.row === row && one.line === 2)
			.map(({ subject }) => subject.name);
		const all = lines.includes(2) ? [...operations, ...Object.keys(methods.listSearch)] : [];
		expect([...new Set(tried)].sort()).toEqual(all.sort());
	},
);

describe('what is looked up', () => {
	it.each(lookupCases)('$title', async (one) => {
		const result = await resultOf(one);
		const expected = expectedOf(one.row, one.subject.name);
		expect(result.calls).toHaveLength(requestsOf(one));
		expectWaits(one, result);
		expect(result.after).toEqual(result.before);
		expect(canariesIn(result.everything)).toEqual([]);
		if ('says' in expected) return expectErrors(one, result, expected);
		expect(result.errors).toEqual([]);
		expect(result.items.length > 0).toBe(expected.items === true);
	});
});

/** What two people who are changed are told. */
const told: Partial<Record<Row['change']['outcome'], Array<[outcome: string, applied: boolean | null]>>> = {
	done: Array(2).fill(['done', true]),
	accepted: Array(2).fill(['accepted', null]),
	unconfirmed: Array(2).fill(['unconfirmed', null]),
	firstOpen: [
		['unconfirmed', null],
		['done', true],
	],
};

describe('what is changed', () => {
	it.each(changeCases)('$title', async (one) => {
		const result = await resultOf(one);
		const { outcome, group } = one.row.change;
		expect(result.calls).toHaveLength(requestsOf(one));
		expectWaits(one, result);
		const customers = ({ groupJid }: GroupSnapshot) => groupJid === CUSTOMERS;
		const jids = NEWCOMERS.map((phone) => `${phone}@s.whatsapp.net`);
		const members = result.before.find(customers)?.members ?? [];
		const expected = group === 'changed' ? [...members, ...jids].sort() : members;
		expect(result.after.find(customers)?.members).toEqual(expected);
		expect(result.after.filter((one) => !customers(one))).toEqual(
			result.before.filter((one) => !customers(one)),
		);
		expect(canariesIn(result.everything)).toEqual([]);

		const given = told[outcome];
		if (given !== undefined) {
			expect(result.errors).toEqual([]);
			expect(result.items.map(({ json }) => [json.participant, json.outcome, json.applied])).toEqual(
				NEWCOMERS.map((phone, i) => [`+${phone}`, ...(given[i] ?? [])]),
			);
			return;
		}
		expectErrors(one, result, one.row);
		for (const { message } of result.errors) {
			if (outcome === 'unknown') expect(message).toMatch(/not known whether/);
			else expect(message).not.toMatch(/not known/);
			if (one.onError === 'stopWorkflow')
				expect(/[Nn]othing was changed/.test(message)).toBe(outcome === 'refused');
		}
	});
});

describe('what is written', () => {
	it.each(writeCases)('$title', async (one) => {
		const result = await resultOf(one);
		const { row, subject } = one;
		expect(result.calls).toHaveLength(requestsOf(one));
		expectWaits(one, result);
		const others = (groups: GroupSnapshot[]) => groups.filter(({ groupJid }) => groupJid !== CUSTOMERS);
		expect(others(result.after)).toEqual(expect.arrayContaining(others(result.before)));
		const isUnchanged = isDeepStrictEqual(result.after, result.before) && result.messages === 0;
		expect(isUnchanged).toBe(row.change.group === 'unchanged');
		expect(canariesIn(result.everything)).toEqual([]);

		const expected = expectedWrite(row, subject.name);
		if (expected === 'done') {
			expect(result.errors).toEqual([]);
			expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
				Array.from({ length: subject.items }, (_, item) => ({ item })),
			);
			return;
		}
		expectErrors(one, result, { ...row, ...row.except[subject.name] });
		for (const { message } of result.errors)
			expect(/not known/.test(message)).toBe(
				expected === 'unknown' && !message.startsWith('Nothing was sent'),
			);
	});
});

describe('what is sent as a message', () => {
	it.each(inviteCases)('$title', async (one) => {
		const result = await resultOf(one);
		const { row } = one;
		const expected = expectedInvite(row);
		expect(result.calls).toHaveLength(requestsOf(one));
		const sent = expected === 'sent' || expected === 'refused' ? 2 : 1;
		expect(result.messages).toBe(expected === 'sent' || row.change.group === 'changed' ? sent : 0);
		expect(result.after).toEqual(result.before);
		expect(canariesIn(result.everything)).toEqual([]);

		if (expected === 'failed') return expectErrors(one, result, { ...row, advises: /\w/ });
		const shown = result.items.map(({ json }) => [json.participant, json.outcome, json.applied]);
		expect(result.errors).toEqual([]);
		const results = {
			sent: [
				['sent', true],
				['sent', true],
			],
			// The network has both numbers, so the messages may have gone.
			refused: [
				['unconfirmed', null],
				['unconfirmed', null],
			],
			unconfirmed: [
				['unconfirmed', null],
				['postponed', false],
			],
		}[expected];
		expect(shown).toEqual(NEWCOMERS.map((phone, i) => [`+${phone}`, ...(results[i] ?? [])]));
	});
});

it('leaves no secret in a log either', async () => {
	await Promise.allSettled(allCases.map(async (one) => await resultOf(one)));
	const nowhere = { baseUrl: NOBODY, apiKey: 'TEST-KEY' };
	// Pickers have no log of their own: theirs comes with the next run.
	for (const engine of [...engines.values()].map((get) => get()).concat(hurried ?? []))
		expect(
			canariesIn((await runOnce(engine, nowhere, { resource: 'none', operation: 'none' }, [{}])).told),
		).toEqual([]);
});
