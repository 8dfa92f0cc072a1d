import { BlockedCall, GatewayFailure, certaintyOf } from '../../gateway/failures/gatewayFailure';
import type { RequestOptions } from '../../gateway/sender';
import { onePerParticipant } from '../../groups/batching';
import {
	changeResult,
	groupKey,
	journalOf,
	type Change,
	type ChangeRequest,
	type ChangeResult,
	type Journal,
	type JournalEntry,
} from '../../groups/change';
import { noteChanges } from '../../groups/memory/noteChanges';
import type { Run } from '../../run/operation';

/** So many people in a row who are refused alone say that the gateway refuses all of their kind of ID. */
const REFUSED_ALONE = 3;

/** Sends the group changes of a run. Whoever asked for them keeps their entries. */
export class ChangeSender {
	/** The entries of all requests, in order. */
	readonly tried: JournalEntry[] = [];

	/** By {@link kindKey}, how many were refused alone, `Infinity` once one wasn't; or what stops the others. */
	private readonly refusals = new Map<string, number | GatewayFailure>();

	/** The first request that failed, and its failure. */
	failed: { request: ChangeRequest; failure: unknown } | undefined;

	constructor(
		private readonly run: Pick<Run, 'client' | 'session' | 'account' | 'people' | 'execution'> &
			Pick<Run, 'context' | 'node' | 'startedAt'>,
		private readonly options: RequestOptions,
	) {}

	/** Whether the run ends with a failure: nothing more is sent. */
	get hasEnded(): boolean {
		return this.failed !== undefined && !this.run.context.continueOnFail();
	}

	/**
	 * Sends a request in its turn, its people one at a time where only that tells who is refused. Gives
	 * an entry for each change: its result, or its request's failure. One without was never tried, since the run
	 * has ended or an entry before `isOver`. It never throws.
	 */
	async send<C extends Change>(
		request: ChangeRequest<C>,
		isOver: (entry: JournalEntry) => boolean = () => false,
	): Promise<Journal<C>> {
		const record = this.run.execution.group(request);
		const isUnnamed = this.accountOf(request).unnamed.has(changeKey(request));
		const isAlone = record.goesAlone || isUnnamed || request.participants.length === 1;
		const sent = isAlone ? undefined : await this.sendOnce(request);
		if (sent instanceof Map) return sent;
		if (sent !== undefined) record.goesAlone = true;
		const journal: Journal<C> = new Map();
		for (const single of onePerParticipant(request)) {
			if (this.hasEnded || [...journal.values()].some(isOver)) break;
			for (const [change, entry] of await this.sendAlone(single, sent)) journal.set(change, entry);
		}
		return journal;
	}

	/** Sends a request. @returns its entries, or a refusal of one of its people @param refused an earlier one */
	private async sendOnce<C extends Change>(request: ChangeRequest<C>, refused?: GatewayFailure) {
		const key = kindKey(request);
		const refusing = this.refusals.get(key);
		try {
			if (refusing instanceof GatewayFailure) throw new BlockedCall(refusing);
			const stop = this.run.session.postpones(request.action, request.instance);
			if (stop !== undefined) return this.say(request, { outcome: 'postponed', message: stop });
			const change = async (options: RequestOptions) => await this.change(request, options);
			const { results, isUnnamed } = await this.run.session.inTurn(request, this.options, change);
			if (request.participants.length === 1) this.refusals.set(key, Infinity);
			if (isUnnamed) this.accountOf(request).unnamed.add(changeKey(request));
			const entries = results.map((result) => ({ result }));
			return this.note(request, entries);
		} catch (problem) {
			if (problem instanceof GatewayFailure && problem.policy.mayBeOnePerson) return problem;
			const failure = problem instanceof BlockedCall ? (refused ?? problem) : problem;
			this.failed ??= { request, failure };
			const entries = request.changes.map(() => ({ failure }));
			return this.note(request, entries);
		}
	}

	/** Sends a request, and notes in the process what becomes of its people. */
	private async change(request: ChangeRequest, options: RequestOptions) {
		const { client, people } = this.run;
		const noteResults = noteChanges(people, request, this.run);
		const change = await client.changeParticipants(request, options).catch((failure: unknown) => {
			noteResults(certaintyOf(failure));
			throw failure;
		});
		noteResults(change.results);
		return change;
	}

	/** Sends a request for one person. A refusal is that person's, and of several in a row the group's. */
	private async sendAlone<C extends Change>(request: ChangeRequest<C>, refused: GatewayFailure | undefined) {
		const sent = await this.sendOnce(request, refused);
		if (sent instanceof Map) return sent;
		const refusals = Number(this.refusals.get(kindKey(request)) ?? 0) + 1;
		this.refusals.set(kindKey(request), refusals === REFUSED_ALONE ? sent : refusals);
		return this.say(request, { outcome: 'rejected', message: `${sent.message}.` });
	}

	private accountOf({ instance }: ChangeRequest) {
		return this.run.account(instance);
	}

	/** Gives all people of a request one outcome. */
	private say<C extends Change>(request: ChangeRequest<C>, said: Pick<ChangeResult, 'outcome' | 'message'>) {
		const entries = request.changes.map((change) => ({ result: changeResult(change, said) }));
		return this.note(request, entries);
	}

	private note<C extends Change>({ changes }: ChangeRequest<C>, entries: JournalEntry[]): Journal<C> {
		for (const entry of entries) this.tried.push(entry);
		return journalOf(changes, entries);
	}
}

/** Tells groups apart, and in them people by number and by hidden ID: gateways refuse to add by hidden ID. */
const kindKey = (request: ChangeRequest) =>
	`${groupKey(request)} ${request.participants[0]?.identity.kind === 'phone'}`;
const changeKey = ({ action, groupJid }: ChangeRequest) => `${action} ${groupJid}`;
