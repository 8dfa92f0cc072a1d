import { randomFrom } from '../../engine/soak/random';
import { groupBy } from '../../../nodes/MessagingGateway/common/maps';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { ConnectionFailure, type Http, type HttpReply } from '../../../nodes/MessagingGateway/gateway/http';
import type { ChangeRequest } from '../../../nodes/MessagingGateway/groups/change';
import { thorough } from '../../thorough';
import { CREDENTIAL, person } from '../support';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SCENARIOS = thorough ? 60 : 12;

/** How a request ended, as far as it matters for the next one. */
type End =
	'done' | 'refused' | 'unknown' | 'notConnected' | 'limited' | 'restricted' | 'tooMany' | 'canceled';

/** A request as the gateways of a scenario saw it, in order. */
interface Entry {
	kind: 'change' | 'read' | 'question';
	gateway: string;
	account: string;
	execution: string;
	/** The run: one round or call of the execution. */
	run: string;
	interval: number;
	startedAt: number;
	/** Requests that had begun when it ended. */
	order: number;
	endedAt: number;
	end: End;
	/** Whether the answer to a question said that the instance isn't connected. */
	isClosed: boolean;
}

/** A stop that a run met: from this place in the log on, nothing is sent until a time. */
interface StopNote {
	gateway: string;
	/** Left out if it's the whole gateway. */
	account?: string;
	order: number;
	until: number;
}

interface Answer {
	end: End;
	reply: Partial<HttpReply> | string;
	elapsed?: number;
}

const JID = '4915200000001@s.whatsapp.net';
const ROW = { status: '200', jid: JID, content: { tag: 'participant', attrs: { jid: JID } } };
const ok = (body: unknown): Partial<HttpReply> => ({ status: 201, text: JSON.stringify(body) });
const error = (status: number, ...message: string[]): Partial<HttpReply> => ({
	status,
	text: JSON.stringify({ status, error: 'Error', response: { message } }),
});
const DONE: Answer = { end: 'done', reply: ok({ updateParticipants: [ROW] }) };
const updateError = (end: End, text: string): Answer => ({
	end,
	reply: error(400, 'Error updating participants', text),
});
const tooMany = (headers: HttpReply['headers']): Answer => ({
	end: 'tooMany',
	reply: { ...error(429, 'Too Many Requests'), headers },
});

/** What a change may end in; the first ones are the most likely. */
const CHANGE_ENDS: Answer[] = [
	...Array<Answer>(8).fill(DONE),
	{ end: 'unknown', reply: error(500, 'no') },
	{ end: 'unknown', reply: 'ETIMEDOUT', elapsed: MINUTE },
	{ end: 'unknown', reply: 'ECONNRESET' },
	{ end: 'unknown', reply: ok({ updateParticipants: [] }), elapsed: MINUTE },
	{ end: 'unknown', reply: { status: 200, text: '<p>Welcome</p>' } },
	updateError('unknown', '1006'),
	updateError('unknown', 'Connection Closed'),
	updateError('notConnected', "Cannot read properties of undefined (reading 'groupParticipantsUpdate')"),
	updateError('refused', 'Error: not-acceptable'),
	updateError('refused', 'Error: forbidden'),
	updateError('limited', 'Error: rate-overlimit'),
	updateError('restricted', 'account_reachout_restricted'),
	tooMany({}),
	tooMany({ 'retry-after': '2' }),
	tooMany({ 'retry-after': '600' }),
	{ end: 'refused', reply: error(401, 'Unauthorized') },
	{ end: 'refused', reply: 'ECONNREFUSED' },
];

const stateOf = (state: unknown): Partial<HttpReply> => ok({ instance: { instanceName: 'main', state } });
const STATES: Array<Partial<HttpReply> | string> = [
	...Array<Partial<HttpReply>>(5).fill(stateOf('open')),
	stateOf('close'),
	stateOf('connecting'),
	stateOf('paired'),
	stateOf(undefined),
	ok(['close']),
	error(500, 'close'),
	{ status: 200, text: '<p>close</p>' },
	{ status: 404, text: JSON.stringify({ message: ['Cannot GET /instance/connectionState'] }) },
	'ETIMEDOUT',
	'ECONNREFUSED',
];

const READ_ENDS: Array<Partial<HttpReply> | string> = [
	...Array<Partial<HttpReply>>(6).fill(ok({ inviteUrl: 'https://chat.whatsapp.com/x', inviteCode: 'x' })),
	error(404, 'No invite code', '1006'),
	error(404, 'No invite code', 'Timed Out'),
	error(404, 'No invite code', 'Error: rate-overlimit'),
	error(429, 'Too Many Requests'),
	error(503, 'busy'),
	'ETIMEDOUT',
];

const delay = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Several workflows at once, at two gateways with the same names of instances, all of them as a seed has it. */
class Scenario {
	readonly log: Entry[] = [];

	readonly stops: StopNote[] = [];

	readonly locks: Array<{ group: string; from: number; to: number }> = [];

	readonly canceledAt = new Map<string, number>();

	readonly gateways: string[];

	private readonly random: () => number;

	/** From then on every gateway answers that all is well. */
	isCalm = false;

	constructor(private readonly seed: number) {
		this.random = randomFrom(seed);
		this.gateways = ['a', 'b'].map((name) => `https://${name}${seed}.example.com`);
	}

	private pick<T>(all: readonly T[]): T {
		return all[Math.floor(this.random() * all.length)] as T;
	}

	private below(amount: number): number {
		return Math.floor(this.random() * amount);
	}

	/** Runs all workflows; resolves when the last one has ended. */
	async run(): Promise<void> {
		const starts = [0, 0, 0, this.below(30 * SECOND), 10 * MINUTE, 2 * HOUR, 26 * HOUR];
		await Promise.all(
			starts.map(
				async (startAt, i) => await this.workflow(`${this.seed}${this.isCalm ? '-calm' : ''}-${i}`, startAt),
			),
		);
	}

	/** One execution: rounds of a loop, or an agent's calls at once. */
	private async workflow(id: string, startAt: number): Promise<void> {
		const cancel = new AbortController();
		const { signal } = cancel;
		const interval = this.pick([0, 500, 3 * SECOND, 20 * SECOND]);
		const gateway = this.pick(this.gateways);
		const instance = this.pick(['main', 'main', 'other']);
		const [isAgent, locks] = [this.random() < 0.3, this.random() < 0.3];
		const cancelAfter = this.random() < 0.3 ? this.below(2 * MINUTE) : undefined;
		const rounds = 1 + this.below(3);
		await delay(startAt);
		if (cancelAfter !== undefined)
			setTimeout(() => {
				this.canceledAt.set(id, this.log.length);
				cancel.abort();
			}, cancelAfter);
		const round = async (runIndex: number) => {
			const run = { execution: id, run: `${id} ${runIndex}`, gateway, instance, interval, signal, runIndex };
			await this.round(run, locks);
		};
		if (isAgent) await Promise.all(Array.from({ length: rounds }, async (_, i) => await round(i)));
		else for (let i = 0; i < rounds; i++) await round(i);
	}

	private async round(
		run: Pick<Entry, 'execution' | 'run' | 'gateway' | 'interval'> & {
			instance: string;
			signal: AbortSignal;
			runIndex: number;
		},
		locks: boolean,
	): Promise<void> {
		const { execution: id, gateway, instance, interval, signal, runIndex } = run;
		const execution = { id, node: 'Node', signal, runIndex };
		const credential = { ...CREDENTIAL, baseUrl: gateway };
		const client = new GatewayClient(credential, this.httpOf(run), { cancelSignal: signal, execution });
		const group = { instance, groupJid: this.pick(['1@g.us', '2@g.us']) };
		const options = { timeout: MINUTE, maxRetries: this.below(3) };
		const request: ChangeRequest = {
			...group,
			action: 'add',
			changes: [{ ...group, item: 0, action: 'add', participant: person(JID) }],
			participants: [person(JID)],
		};
		let unlock = () => {};
		try {
			client.session.startChanges([group], interval);
			if (locks) {
				await client.session.lockGroups([group]);
				const lock = {
					group: `${gateway} ${instance} ${group.groupJid}`,
					from: performance.now(),
					to: Infinity,
				};
				if (!signal.aborted) this.locks.push(lock);
				unlock = () => (lock.to = performance.now());
			}
			await client.inviteLink(group, options).catch(() => {});
			for (let i = 1 + this.below(4); i > 0; i--)
				await client.session
					.inTurn(group, options, async (inTurn) => await client.changeParticipants(request, inTurn))
					.catch((failure: unknown) => this.noteTooMany(failure, gateway));
		} finally {
			unlock();
			client.session.end();
		}
	}

	/** A 429 of a change, after its repeats, stops the gateway. */
	private noteTooMany(failure: unknown, gateway: string): void {
		if (!(failure instanceof GatewayFailure)) return;
		const { status, retryAfter, route } = failure.call;
		const now = performance.now();
		const isStopped = this.stops.some((stop) => stop.gateway === gateway && stop.until > now);
		if (status !== 429 || route !== 'updateParticipants' || isStopped) return;
		const ms = retryAfter === undefined ? 5 * MINUTE : retryAfter * SECOND;
		this.stops.push({ gateway, order: this.log.length, until: now + ms });
	}

	private httpOf(
		run: Pick<Entry, 'execution' | 'run' | 'gateway' | 'interval'> & {
			instance: string;
			signal: AbortSignal;
		},
	): Http {
		const { signal, instance, ...known } = run;
		const account = `${run.gateway} ${instance}`;
		return async ({ url }) => {
			const isChange = url.includes('/updateParticipant/');
			const kind = isChange ? 'change' : url.includes('/connectionState/') ? 'question' : 'read';
			const entry: Entry = {
				...known,
				...{ kind, account, startedAt: performance.now(), order: 0, endedAt: Infinity },
				...{ end: 'canceled', isClosed: false },
			};
			this.log.push(entry);
			const { end, reply, elapsed = 5 + this.below(800) } = this.answer(kind);
			let cancel = () => {};
			const canceled = new Promise<void>((resolve) => (cancel = resolve));
			signal.addEventListener('abort', cancel);
			if (!signal.aborted) await Promise.race([delay(elapsed), canceled]);
			signal.removeEventListener('abort', cancel);
			entry.endedAt = performance.now();
			entry.order = this.log.length;
			if (signal.aborted) throw new ConnectionFailure('ERR_CANCELED');
			entry.end = end;
			entry.isClosed = typeof reply === 'object' && /"state":"(close|connecting)"/.test(reply.text ?? '');
			const lasting = { limited: HOUR, restricted: DAY }[String(end)];
			if (lasting !== undefined)
				this.stops.push({
					...{ gateway: run.gateway, account, order: this.log.length },
					until: performance.now() + lasting,
				});
			if (typeof reply === 'string') throw new ConnectionFailure(reply, elapsed);
			return { status: 200, headers: {}, text: '', elapsed, ...reply };
		};
	}

	private answer(kind: Entry['kind']): Answer {
		if (kind === 'change') return this.isCalm ? DONE : this.pick(CHANGE_ENDS);
		if (kind === 'question') return { end: 'done', reply: this.isCalm ? stateOf('open') : this.pick(STATES) };
		const reply = this.isCalm ? ok({ inviteUrl: 'x/y', inviteCode: 'y' }) : this.pick(READ_ENDS);
		const isLimited = typeof reply === 'object' && (reply.text ?? '').includes('rate-overlimit');
		return { end: isLimited ? 'limited' : 'done', reply };
	}
}

/** Everything that must not be, as the log of a scenario shows it. */
function findingsIn({ log, stops, locks, canceledAt }: Scenario): string[] {
	const found: string[] = [];
	const changes = log.filter(({ kind }) => kind === 'change');
	const byAccount = groupBy(changes, ({ account }) => account);
	for (const ofAccount of byAccount.values())
		for (const [i, later] of ofAccount.entries())
			for (const earlier of ofAccount.slice(0, i)) {
				const pause = later.startedAt - earlier.endedAt;
				const isOneRun = later.execution === earlier.execution;
				const due = isOneRun ? later.interval : Math.min(later.interval, earlier.interval);
				if (pause < 0) found.push(`two changes at once: ${earlier.run}, ${later.run}`);
				else if (pause < due - 0.001)
					found.push(`a pause of ${pause} of ${due}: ${earlier.run}, ${later.run}`);
			}
	for (const stop of stops)
		for (const [order, entry] of log.entries())
			if (
				order >= stop.order &&
				entry.gateway === stop.gateway &&
				(stop.account ?? entry.account) === entry.account &&
				entry.startedAt < stop.until
			)
				found.push(`a ${entry.kind} after a stop: ${entry.run}`);
	for (const [order, entry] of log.entries())
		if (order >= (canceledAt.get(entry.execution) ?? Infinity))
			found.push(`canceled, and sent: ${entry.run}`);
	for (const [i, lock] of locks.entries())
		for (const other of locks.slice(0, i))
			if (lock.group === other.group && lock.from < other.to && other.from < lock.to)
				found.push(`a group locked twice: ${lock.group}`);
	return [...found, ...doubtsIn(log), ...unknownsIn(changes)];
}

/** After a change that may have cost the connection, the live state is asked before the next one, and not against its answer. */
function doubtsIn(log: readonly Entry[]): string[] {
	return [...groupBy(log, ({ account }) => account).values()].flatMap((ofAccount) =>
		ofAccount.flatMap((entry, i) => {
			const before = ofAccount.filter(({ kind }, j) => kind === 'change' && j < i).at(-1);
			if (entry.kind !== 'change' || (before?.end !== 'unknown' && before?.end !== 'notConnected')) return [];
			const questions = ofAccount.filter(
				(one, j) => one.kind === 'question' && j < i && log.indexOf(one) >= before.order,
			);
			if (questions.length === 0) return [`not asked before a change: ${entry.run}`];
			return questions.at(-1)?.isClosed === true ? [`sent to a closed instance: ${entry.run}`] : [];
		}),
	);
}

/** After two changes in a row whose result isn't known, a run sends no third one. */
function unknownsIn(changes: readonly Entry[]): string[] {
	return [...groupBy(changes, ({ run }) => run)].flatMap(([run, ofRun]) =>
		ofRun.slice(2).some((_, i) => ofRun[i]?.end === 'unknown' && ofRun[i + 1]?.end === 'unknown')
			? [`a third change after two unknown ones: ${run}`]
			: [],
	);
}

describe('several workflows at once', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('never break what an account is promised, and leave nothing locked', async () => {
		const findings: string[] = [];
		const ends = new Set<string>();
		for (let seed = 1; seed <= SCENARIOS; seed++) {
			const scenario = new Scenario(seed);
			let isOver = false;
			void scenario.run().then(() => (isOver = true));
			await jest.advanceTimersByTimeAsync(3 * DAY);
			if (!isOver) findings.push(`${seed}: not over after three days`);

			// Then everybody gets through: nothing is still locked.
			scenario.isCalm = true;
			const before = scenario.log.length;
			void scenario.run();
			await jest.advanceTimersByTimeAsync(2 * DAY);
			if (scenario.log.slice(before).every(({ kind }) => kind !== 'change'))
				findings.push(`${seed}: nothing is sent any more`);
			findings.push(...findingsIn(scenario).map((finding) => `${seed}: ${finding}`));
			for (const { kind, end } of scenario.log) ends.add(`${kind} ${end}`);
		}
		expect(findings).toEqual([]);
		// All of it has happened.
		for (const { end } of CHANGE_ENDS) expect(ends).toContain(`change ${end}`);
	});
});
