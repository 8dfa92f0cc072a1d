import fc from 'fast-check';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import {
	decide,
	factsAfter,
	type Answer,
	type Step,
	type Situation,
} from '../../../../nodes/MessagingGateway/groups/memory/meaning';
import { GroupMemory } from '../../../../nodes/MessagingGateway/groups/memory/groupMemory';
import { KnownPeople } from '../../../../nodes/MessagingGateway/groups/memory/knownPeople';
import { noteChanges } from '../../../../nodes/MessagingGateway/groups/memory/noteChanges';
import { recall } from '../../../../nodes/MessagingGateway/groups/memory/recall';
import { runsOf, thorough } from '../../../thorough';
import { person as participantOf } from '../../support';

/**
 * Histories of one group, where n8n keeps the node's memory, and where it keeps none, as in queue mode. The model knows only what
 * happened: who is in the group, and if not, why; who pays; when whom was tried. It counts harm by what has happened to the
 * memory since: in a calm history nothing has.
 */

const GROUP = '1@g.us';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PHONES = ['5511999990001', '5531999990002', '4915200000003', '447700900004', '12025550105'];

const CAUSES = {
	ended: 'a night ended in the middle',
	restarted: 'n8n was restarted',
	unkept: 'n8n keeps no static data',
	overlap: 'two runs at once',
	missing: 'the row was missing for a night',
	alone: 'a single row ran in between',
	lie: 'the gateway said yes and did nothing',
	others: 'nobody else in the list has been a member since',
	before: 'they had left before, and came back only while their row was missing',
	many: 'so many had gone that they did not leave',
};
type Cause = keyof typeof CAUSES;

type Harm =
	| 'kept out though they did not leave'
	| 'added again though they went'
	| 'tried too often'
	| 'waits for a turn in too many runs'
	| 'said to have left, and is in the group'
	| 'said to have left, and was seen in this execution';

/** A run that a store doesn't know, or no longer. */
const UNKNOWN = ['ended', 'restarted', 'unkept', 'overlap'] as const;

/** Causes without which a harm never happens; none: it never does. */
const EXPLAINED: Record<Harm, readonly Cause[]> = {
	// `done` is the gateway's word.
	'kept out though they did not leave': [
		'lie',
		'ended',
		'restarted',
		'overlap',
		'others',
		'before',
		'unkept',
	],
	// Two runs without the row make a new wish, and where n8n keeps nothing a leaving is known for 36 hours.
	'added again though they went': [...UNKNOWN, 'missing', 'alone', 'many'],
	'tried too often': [...UNKNOWN, 'missing', 'alone'],
	'waits for a turn in too many runs': UNKNOWN,
	'said to have left, and is in the group': [],
	'said to have left, and was seen in this execution': [],
};

interface Person {
	readonly phone: string;
	readonly showsNumber: boolean;
	isIn: boolean;
	exit: 'never in' | 'left' | 'removed by hand' | 'removed by another node' | 'removed by this node';
	/** Run in which they went. */
	exitRun: number;
	pays: boolean;
	/** Can be neither added nor removed. */
	refuses: boolean;
	/** Nobody ever knows what became of a change. */
	isSilent: boolean;
	isMissing: boolean;
	readonly causes: Array<readonly [cause: Cause, run: number]>;
	/** Run that saw them in the group last, as somebody who should be. */
	seenRun: number;
	/** `since`: when nobody knew its result first. */
	lastTry: { at: number; run: number; since: number; isSettled: boolean } | undefined;
	waitedRuns: number;
	isCounted: boolean;
}

const goes = (exit: Person['exit']) => (person: Person, run: number) => {
	if (person.isIn) Object.assign(person, { isIn: false, exit, exitRun: run, isCounted: false });
};
const wishes = (pays: boolean) => (person: Person) => {
	if (person.pays !== pays) Object.assign(person, { pays, lastTry: undefined, seenRun: -1 });
};

const EVENTS = {
	joins: (person: Person) => Object.assign(person, { isIn: true, isCounted: false }),
	leaves: goes('left'),
	isRemovedByHand: goes('removed by hand'),
	isRemovedByAnotherNode: goes('removed by another node'),
	stopsPaying: wishes(false),
	pays: wishes(true),
	refuses: (person: Person) => (person.refuses = !person.refuses),
	isSilent: (person: Person) => (person.isSilent = !person.isSilent),
	isMissing: (person: Person) => (person.isMissing = true),
	comesBack: (person: Person) => (person.isMissing = false),
};

const person = fc.nat({ max: PHONES.length - 1 });
const mostly = <T>(usual: T, times: number, ...others: T[]) =>
	fc.constantFrom(...Array<T>(times).fill(usual), ...others);
const history = fc.record({
	world: fc.constantFrom('kept' as const, 'unkept' as const),
	unlisted: fc.constantFrom('keep' as const, 'remove' as const),
	whoLeft: mostly<'keepOut' | 'addAgain'>('keepOut', 2, 'addAgain'),
	removeAfter: fc.constantFrom(0, 0, 3),
	shows: mostly<'all' | 'none' | 'some'>('all', 2, 'none', 'some'),
	amount: fc.integer({ min: 2, max: PHONES.length }),
	maxAdditions: fc.constantFrom(50, 50, 1, 2),
	nights: fc.array(
		fc.record({
			events: fc.array(
				fc.tuple(person, fc.constantFrom(...(Object.keys(EVENTS) as Array<keyof typeof EVENTS>))),
				{ maxLength: 2 },
			),
			run: mostly(
				'night',
				15,
				'alone',
				'alone',
				'fails',
				'crashes',
				'overlaps',
				'twice',
				'full',
				'page',
				'page',
			),
			isRestarted: mostly(false, 12, true),
			who: person,
			isLying: mostly(false, 30, true),
		}),
		{ minLength: 5, maxLength: 30 },
	),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;
type Night = History['nights'][number];

interface Run {
	readonly isLying: boolean;
	readonly isFull?: boolean;
	/** Whether a proxy answers all its requests. */
	readonly isPage?: boolean;
	/** Whether it ends in the middle: by a time-out of n8n's, or by a crash of the process. */
	readonly fails?: boolean;
	/** A person whom the gateway's list doesn't show yet. */
	readonly late?: Person | undefined;
	/** People whom this execution has seen. */
	readonly seen?: ReadonlySet<Person>;
	/** Why a person is kept out or added, as the memory tells. */
	readonly other?: Cause[];
}

class Play {
	readonly people: Person[];

	readonly harms: Array<{ harm: Harm; causes: Cause[] }> = [];

	/** Amounts of what is to happen often enough to mean something. */
	readonly did = { nights: 0, added: 0, removed: 0, refused: 0, unknown: 0, page: 0, left: 0 };

	private run = 0;

	/** What n8n keeps of the node, and what the process has of it. */
	private stored = '';

	private text = '';

	private notes = new KnownPeople();

	private now = Date.UTC(2026, 10, 1, 5);

	constructor(private readonly settings: History) {
		this.people = PHONES.slice(0, settings.amount).map((phone, i) => ({
			phone,
			showsNumber: settings.shows === 'all' || (settings.shows === 'some' && i % 2 === 0),
			isIn: false,
			exit: 'never in',
			exitRun: 0,
			pays: true,
			refuses: false,
			isSilent: false,
			isMissing: false,
			causes: [],
			seenRun: -1,
			lastTry: undefined,
			waitedRuns: 0,
			isCounted: false,
		}));
		jest.spyOn(Date, 'now').mockImplementation(() => this.now);
		if (settings.world === 'unkept') this.happens('unkept');
		for (const night of settings.nights) this.play(night);
	}

	/** Takes somebody out by a node of another workflow. */
	private removeElsewhere(one: Person) {
		// That was another wish, for which nobody waits. If they join again and go before a run sees them, none can know.
		one.lastTry = undefined;
		one.seenRun = -1;
		const participant = participantOf(one.phone);
		const change = { instance: 'main', groupJid: GROUP, item: 0, action: 'remove', participant } as const;
		const request = { ...change, participants: [participant], changes: [change] };
		const note = noteChanges(this.notes, request, { node: 'web', startedAt: this.now });
		note([{ ...change, participant: one.phone, outcome: 'done', applied: true, message: '' }]);
	}

	private play(night: Night) {
		this.now += DAY;
		this.run++;
		this.did.nights++;
		for (const [i, event] of night.events) {
			const one = this.people[i];
			if (one?.isIn && event === 'isRemovedByAnotherNode') this.removeElsewhere(one);
			if (one) EVENTS[event](one, this.run);
		}
		if (night.isRestarted) this.restart();
		const alone = night.run === 'alone' && this.settings.unlisted === 'keep' && this.people[night.who];
		const rows = (alone ? [alone] : this.people).filter(
			({ isMissing, pays }) => !isMissing && (pays || this.settings.unlisted === 'keep'),
		);
		if (alone) this.happens('alone');
		else
			this.happens(
				'missing',
				this.people.filter((one) => !rows.includes(one)),
			);
		this.runs(rows, night);
	}

	private restart() {
		this.notes = new KnownPeople();
		this.text = '';
		this.happens('restarted');
	}

	private runs(rows: readonly Person[], { run, who, isLying }: Night) {
		const fails = run === 'fails' || run === 'crashes';
		const before = this.stored;
		const known = this.sync(rows, { isLying, isFull: run === 'full', isPage: run === 'page', fails });
		if (run === 'crashes') this.restart();
		if (fails) return this.happens('ended');
		if (run === 'overlaps') {
			this.happens('overlap');
			const first = this.stored;
			this.now += 11 * MINUTE;
			// n8n keeps what the run has that ends last.
			this.stored = before;
			this.sync(rows, { isLying });
			if (who % 2 === 0) this.stored = first;
		}
		if (run === 'twice') this.sync(rows, { isLying, late: this.people[who], seen: known });
	}

	private happens(cause: Cause, people: readonly Person[] = this.people) {
		for (const { causes } of people) causes.push([cause, this.run]);
	}

	private counts(harm: Harm, { causes }: Person, since = Infinity, other: Cause[] = []) {
		const known = new Set(causes.filter(([, run]) => run >= since).map(([cause]) => cause));
		const explained = EXPLAINED[harm].filter((cause) => known.has(cause));
		this.harms.push({ harm, causes: explained.length > 0 ? explained : other });
	}

	/** Plays a run. @returns whom it has seen in the group, or added */
	private sync(people: readonly Person[], run: Run): Set<Person> {
		const { now, notes } = this;
		const { unlisted, maxAdditions, world } = this.settings;
		const group = new GroupMemory([this.text, this.stored], now);
		const lastRun = group.lastRun(now);
		const isUnkept = world === 'unkept';
		const rules = { ...this.settings, now, at: now + MINUTE, lastRun, isUnkept };
		const decided = (isNobodyLeft: boolean) =>
			people.map((one) => {
				const ids = [identityFor(one.phone)];
				const sources = { node: group.find(ids), notes: notes.find(GROUP, ids) };
				const metAt = Math.max(sources.node.metAt, sources.notes.metAt);
				const presence = this.presenceOf(one, run.late);
				const situation = { presence, shouldBeMember: one.pays, number: one.phone, metAt };
				const before = recall(sources, rules);
				return { one, ids, situation, before, ...decide(before, situation, { ...rules, isNobodyLeft }) };
			});
		const first = decided(false);
		const newlyLeft = first.filter(({ step, before }) => step.outcome === 'left' && !before.left);
		const isMany = newlyLeft.length > 3;
		const rows = isMany ? decided(true) : first;
		if (isMany)
			this.happens(
				'many',
				newlyLeft.map(({ one }) => one),
			);
		for (const { one, before, situation, step } of rows) {
			const own = before.member?.at ?? 0;
			const isNewest = rows.every((row) => (row.before.member?.at ?? 0) <= own);
			const other: Cause[] = before.left ? ['before'] : isNewest ? ['others'] : [];
			this.judge(one, situation.presence, step, { ...run, other });
		}
		const sent = rows
			.flatMap((row) => (row.step.outcome === 'planned' ? [{ ...row, ...row.step }] : []))
			.sort((row, other) => row.triedAt - other.triedAt);
		const due = [
			...sent.filter(({ one }) => !one.pays),
			...sent.filter(({ one }) => one.pays).slice(0, maxAdditions),
		];
		const served = run.fails ? due.slice(0, 1) : due;
		if (unlisted === 'remove' && rows.length > 0 && rows.length === people.length && !run.fails)
			this.removeUnlisted(people);
		const seen = new Set<Person>();
		for (const { one, ids, situation, facts, step } of rows) {
			const isServed = served.some((row) => row.one === one);
			if (!run.fails && !run.isFull) this.countTurn(one, step.outcome === 'planned' && !isServed);
			const isAlone = step.outcome === 'planned' && (step.alone || served.length === 1);
			const answer = isServed ? this.send(one, isAlone, run) : resultOf(step, situation);
			// A change comes later than the beginning of its run.
			const after = factsAfter(facts, situation, answer, { now, at: now + 1000 });
			// A run that ends in the middle has noted the changes that it sent.
			if (!run.fails || isServed) notes.remember({ groupJid: GROUP, ids, facts: after }, 'night', now);
			group.note(ids, after, now + MINUTE);
			if (after.member) seen.add(one);
		}
		if (run.fails) return seen;
		this.text = group.write();
		if (!isUnkept) this.stored = this.text;
		return seen;
	}

	private presenceOf(one: Person, late: Person | undefined): Situation['presence'] {
		if (one.isIn && one.showsNumber && !(one === late && one.pays)) return 'found';
		return this.settings.shows === 'all' ? 'absent' : 'unsure';
	}

	private removeUnlisted(listed: readonly Person[]) {
		for (const one of this.people)
			if (one.isIn && one.showsNumber && !listed.includes(one)) {
				goes('removed by this node')(one, this.run);
				this.removeElsewhere(one);
			}
	}

	/** Counts harm that a decision does. */
	private judge(one: Person, presence: Situation['presence'], step: Step, { seen, other }: Run) {
		const { isIn, exit, exitRun, seenRun, pays } = one;
		const isLeft = step.outcome === 'left';
		if (isLeft) this.did.left++;
		if (isLeft && seen?.has(one)) this.counts('said to have left, and was seen in this execution', one);
		if (isLeft && isIn && !seen) this.counts('said to have left, and is in the group', one);
		if ((presence === 'found') === pays) one.lastTry = undefined;
		if (presence === 'found' && pays) one.seenRun = this.run;
		if (!pays || isIn || this.settings.whoLeft !== 'keepOut') return;
		const wasHere = exit !== 'left' && exit !== 'removed by hand';
		const isOut =
			step.outcome === 'left' || (step.outcome === 'unconfirmed' && step.until === undefined && !seen);
		if (isOut && wasHere && !one.isCounted) {
			one.isCounted = true;
			this.counts('kept out though they did not leave', one, exitRun, other);
		}
		if (step.outcome === 'planned' && !wasHere && seenRun >= 0 && exitRun > seenRun)
			this.counts('added again though they went', one, seenRun);
	}

	private countTurn(one: Person, waits: boolean) {
		one.waitedRuns = waits ? one.waitedRuns + 1 : 0;
		if (one.waitedRuns === 2 * this.settings.amount)
			this.counts('waits for a turn in too many runs', one, this.run - one.waitedRuns);
	}

	/** Carries out a change. */
	private send(
		one: Person,
		isAlone: boolean,
		{ isLying, isFull, isPage = false }: Run,
	): Answer | 'unknown' | 'onTheWay' {
		const action = one.pays ? 'add' : 'remove';
		const says = (outcome: Answer['outcome'], applied: boolean | null) => {
			if (applied === true) one.lastTry = undefined;
			if (applied === true && one.pays) one.seenRun = this.run;
			return { action, outcome, applied } as const;
		};
		if (isPage) {
			this.countTry(one, true, isAlone, true);
			this.did.page++;
			return 'onTheWay';
		}
		if (isFull && one.pays) return says('groupFull', false);
		if (one.pays && one.isIn && !one.isSilent) return says('unchanged', true);
		const isUnnamed = this.settings.shows !== 'all' && one.pays && !isAlone;
		const isUnknown = one.isSilent || (one.refuses && isUnnamed);
		if (isUnknown || one.refuses) this.countTry(one, isUnknown, isAlone);
		this.did[isUnknown ? 'unknown' : one.refuses ? 'refused' : one.pays ? 'added' : 'removed']++;
		if (isUnknown) return 'unknown';
		if (one.refuses) return one.pays ? says('inviteRequired', false) : says('rejected', false);
		if (isLying) this.happens('lie', [one]);
		else if (one.pays) EVENTS.joins(one);
		else goes('removed by this node')(one, this.run);
		return says('done', true);
	}

	/** Counts tries that come too soon: after one whose result isn't known, one more alone is right; after pages, some for three days. */
	private countTry(one: Person, isUnknown: boolean, isAlone: boolean, isPage = false) {
		const { lastTry } = one;
		const isSoon = lastTry !== undefined && this.now - lastTry.at < 7 * DAY;
		const isSecond = isSoon && !lastTry.isSettled && isAlone;
		if (isSoon && !isSecond) this.counts('tried too often', one, lastTry.run);
		const since = isSecond ? lastTry.since : this.now;
		const isOpen = isUnknown && (!isSecond || (isPage && this.now - since < 3 * DAY));
		one.lastTry = { at: this.now, run: isSoon ? lastTry.run : this.run, since, isSettled: !isOpen };
	}
}

/** Gives the result for a person to whom nothing is sent. */
function resultOf(
	step: Step,
	{ presence, shouldBeMember }: { presence: Situation['presence']; shouldBeMember: boolean },
): Answer | 'notSent' {
	if (step.outcome === 'postponed' && step.reason === 'removeAfter')
		return { action: 'remove', outcome: 'postponed', applied: false, reason: step.reason };
	if (shouldBeMember || presence === 'found') return 'notSent';
	const outcome = presence === 'absent' ? 'unchanged' : 'unconfirmed';
	return { action: 'none', outcome, applied: null };
}

afterEach(() => jest.restoreAllMocks());

it('does no harm in a calm history, and elsewhere only what is explained', () => {
	const figures = new Map<string, number>();
	const counted = (line: string, amount: number) => figures.set(line, (figures.get(line) ?? 0) + amount);
	fc.assert(
		fc.property(history, (one) => {
			const { did, harms } = new Play(one);
			for (const [what, amount] of Object.entries(did)) counted(what, amount);
			for (const { harm, causes } of harms) {
				const why = causes.length > 1 ? 'several of these' : causes.map((cause) => CAUSES[cause]).join('');
				const line = `${harm}: ${why || 'calm'}`;
				counted(line, 1);
				if (causes.length === 0) throw new Error(line);
			}
		}),
		runsOf(100_000, 400),
	);
	if (thorough)
		console.log(
			[...figures]
				.map((line) => line.join(' '))
				.sort()
				.join('\n'),
		);
});
