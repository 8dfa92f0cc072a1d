import { BlockedCall, GatewayFailure } from '../../gateway/failures/gatewayFailure';
import { onePerParticipant, type plannedResults } from '../../groups/batching';
import { changeResult, groupKey, type ChangeRequest, type Journal } from '../../groups/change';
import type { Progress } from '../../groups/summary';
import type { Run } from '../../run/operation';
import type { Writer } from '../../run/writer';

/** So many people in a row who are refused alone say that the gateway refuses the whole group, by their kind of ID. */
const REFUSED_ALONE = 3;

/** Sends the group changes of a run, and notes a result or a failure for each change. */
export class ChangeSender {
	readonly journal: Journal = new Map();

	private readonly tried: ChangeRequest[] = [];

	/** By group and kind of ID, the number of people refused alone so far; `Infinity` once one of the first wasn't. */
	private readonly refusedAlone = new Map<string, number>();

	/** Groups, with the kind of ID, that refused one person after the other. */
	private readonly refusing = new Map<string, GatewayFailure>();

	/** Number of requests more than planned, since people went alone. */
	private more = 0;

	/** The first request that failed, and its failure. */
	failed: { request: ChangeRequest; failure: unknown } | undefined;

	/** @param replies where replies are kept as they came; left out where they aren't output */
	constructor(
		private readonly run: Run,
		private readonly writer: Writer,
		private readonly replies?: Map<ChangeRequest, unknown>,
	) {}

	/** Whether the run ends with a failure: nothing more is sent. */
	get hasEnded(): boolean {
		return this.failed !== undefined && !this.run.context.continueOnFail();
	}

	/** Sends a request, one person at a time where only that tells whom the gateway refuses, until it `isOver`. */
	async send(request: ChangeRequest, isOver: () => boolean = () => false): Promise<void> {
		const goesAlone = this.ledgerOf(request).goesAlone || this.unnamedOf(request).has(changeKey(request));
		const refused = goesAlone ? undefined : await this.sendOnce(request);
		if (!goesAlone && refused === undefined) return;
		this.more += request.participants.length - 1;
		for (const single of onePerParticipant(request))
			if (!this.hasEnded && !isOver()) await this.sendOnce(single, refused);
	}

	/** Counts the requests sent so far, for the message of a run that stops. @param planned requests of the run */
	progress(planned: number): Progress {
		return {
			tried: this.tried.map(({ changes }) => changes.flatMap((change) => this.journal.get(change) ?? [])),
			requests: Math.max(planned + this.more, this.tried.length),
		};
	}

	/** @param refused the refusal of a request that the people were in @returns that of a request whose people can go alone */
	private async sendOnce(
		request: ChangeRequest,
		refused?: GatewayFailure,
	): Promise<GatewayFailure | undefined> {
		const key = kindKey(request);
		const refusing = this.refusing.get(key);
		if (refusing !== undefined) return this.noteFailure(request, refused ?? new BlockedCall(refusing));
		try {
			const { reply, results, isUnnamed } = await this.writer.send(
				request,
				async (options) => await this.run.client.changeParticipants(request, options),
			);
			this.note(request, results);
			this.tried.push(request);
			this.replies?.set(request, reply);
			if (request.participants.length === 1) this.refusedAlone.set(key, Infinity);
			if (isUnnamed) this.unnamedOf(request).add(changeKey(request));
			return undefined;
		} catch (failure) {
			if (!(failure instanceof GatewayFailure && failure.policy.mayBeOnePerson))
				return this.noteFailure(request, failure instanceof BlockedCall ? (refused ?? failure) : failure);
			if (request.participants.length > 1) {
				this.ledgerOf(request).goesAlone = true;
				return failure;
			}
			return this.noteRefusedAlone(request, failure);
		}
	}

	note({ changes }: ChangeRequest, results: ReturnType<typeof plannedResults>): void {
		changes.forEach((change, i) => {
			const result = results[i];
			if (result !== undefined) this.journal.set(change, { result });
		});
	}

	private noteRefusedAlone(request: ChangeRequest, failure: GatewayFailure): undefined {
		const key = kindKey(request);
		const refusal = { outcome: 'rejected', applied: false, message: `${failure.message}.` } as const;
		for (const change of request.changes) this.journal.set(change, { result: changeResult(change, refusal) });
		this.tried.push(request);
		const refused = (this.refusedAlone.get(key) ?? 0) + 1;
		this.refusedAlone.set(key, refused);
		if (refused === REFUSED_ALONE) this.refusing.set(key, failure);
	}

	private unnamedOf({ instance }: ChangeRequest) {
		return this.run.client.account(instance).unnamed;
	}

	private ledgerOf(request: ChangeRequest) {
		return this.run.client.execution.ledger.group(request);
	}

	private noteFailure(request: ChangeRequest, failure: unknown): undefined {
		for (const change of request.changes) this.journal.set(change, { failure });
		this.tried.push(request);
		this.failed ??= { request, failure };
	}
}

/** Tells groups apart, and in them people by number and by hidden ID: gateways refuse to add by hidden ID. */
const kindKey = (request: ChangeRequest) =>
	`${groupKey(request)} ${request.participants[0]?.identity.kind === 'phone'}`;
const changeKey = ({ action, groupJid }: ChangeRequest) => `${action} ${groupJid}`;
