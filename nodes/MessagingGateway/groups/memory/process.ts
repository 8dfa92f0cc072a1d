import { groupBy } from '../../common/groupBy';
import { DAY } from '../../common/time';
import type { ChangeRequest, ChangeResult } from '../change';
import { distinct, identityOf, type Identity } from '../identity';
import { consistent, FACT_NAMES, isOnlyMember, toMinute, without, type FactName, type Facts } from './fact';
import { factsAfter } from './meaning';
import { UNKNOWN, type Remembered } from './recall';

/** Maximum number of people to remember: they take some MB. */
const MOST_KNOWN = 20_000;

/**
 * Time after which facts of a person whom no run meets are forgotten, in ms. `out` stays: a list that runs now and then would
 * say that people left whom another node took out meanwhile, and keep them out for good.
 */
const KNOWN_FOR = 8 * DAY;
const INVITES_KNOWN_FOR = 30 * DAY;

const INVITES: readonly FactName[] = ['invited', 'maybeInvited'];
const ALL_BUT_OUT = FACT_NAMES.filter((name) => name !== 'out');
const OTHERS = ALL_BUT_OUT.filter((name) => !INVITES.includes(name));

interface Entry {
	readonly groupJid: string;
	/** Canonical IDs by which the person is found in the group. */
	readonly forms: string[];
	facts: Facts;
	/** Facts of a change that is under way. If its result never comes, they stay. */
	underWay: Facts;
	metAt: number;
	/** Times at which runs added the person again whom another node had taken out. */
	returns: readonly number[];
}

const NOTHING_KNOWN = { ...UNKNOWN, underWay: UNKNOWN.facts, returns: [] } satisfies Partial<Entry>;

/** People in groups of a gateway: what all nodes in the process did and saw. */
export class KnownPeople {
	/** By group and canonical ID. */
	private readonly groups = new Map<string, Map<string, Entry>>();

	/** The longest unmet come first. */
	private readonly entries = new Set<Entry>();

	/** Nodes whose facts n8n was given to keep. */
	readonly storedFor = new Set<string>();

	find(groupJid: string, ids: readonly Identity[]): Remembered {
		const found = this.entriesOf(groupJid, ids);
		if (found.length === 0) return UNKNOWN;
		return {
			facts: consistent(found.flatMap((entry) => [currentFacts(entry), entry.underWay])),
			metAt: Math.max(...found.map(({ metAt }) => metAt)),
			returns: found.flatMap(({ returns }) => returns),
		};
	}

	/** Notes a change or message before it's sent: a run that is canceled meanwhile never learns its result. */
	begin(groupJid: string, ids: readonly Identity[], underWay: Facts): void {
		this.meet(groupJid, ids).underWay = underWay;
	}

	/**
	 * Notes the result of a change, or what a run found out.
	 *
	 * @param change gives the facts afterwards
	 * @param by the node; of those facts that don't say it
	 */
	note(
		groupJid: string,
		ids: readonly Identity[],
		by: string,
		change: (facts: Facts) => Facts,
		hasTakenOut = false,
	): void {
		const entry = this.meet(groupJid, ids);
		// Another node's change may still be under way.
		const own = FACT_NAMES.filter((name) => entry.underWay[name]?.by === by);
		entry.underWay = without(entry.underWay, own);
		// Who wasn't in the group was taken out by nobody, or earlier.
		const takenOutBy = hasTakenOut ? by : (entry.facts.out?.by ?? NOBODY);
		entry.facts = signed(change(entry.facts), by, takenOutBy);
	}

	/** Notes that a run has added a person again whom another node had taken out. @param at ms since 1970 */
	noteReturn(groupJid: string, ids: readonly Identity[], at: number): void {
		const entry = this.meet(groupJid, ids);
		entry.returns = [...entry.returns, at];
	}

	/** Notes what a run found out. @param since ms since 1970: what other nodes have noted from then on stays */
	remember(
		groupJid: string,
		{ ids, facts, hasTakenOut }: { ids: readonly Identity[]; facts: Facts; hasTakenOut?: boolean },
		by: string,
		since: number,
	): void {
		const change = (before: Facts) => {
			const isOlder = (name: FactName) => before[name]?.by === by || (before[name]?.at ?? 0) < since;
			return consistent([facts, without(before, FACT_NAMES.filter(isOlder))]);
		};
		this.note(groupJid, ids, by, change, hasTakenOut);
	}

	private entriesOf(groupJid: string, ids: readonly Identity[]): Entry[] {
		const ofGroup = this.groups.get(groupJid);
		const found: Entry[] = [];
		for (const { canonical } of ids) {
			const entry = ofGroup?.get(canonical);
			if (entry !== undefined && !found.includes(entry)) found.push(entry);
		}
		return found;
	}

	/** Finds or makes the entry of a person whom a run meets now. All that are known of these IDs become one. */
	private meet(groupJid: string, ids: readonly Identity[]): Entry {
		const found = this.entriesOf(groupJid, ids);
		const [entry = { groupJid, forms: [], ...NOTHING_KNOWN }, ...others] = found;
		entry.facts = consistent(found.map(currentFacts));
		entry.underWay = consistent(found.map(({ underWay }) => underWay));
		entry.metAt = Date.now();
		for (const { returns } of others) entry.returns = [...entry.returns, ...returns];
		const ofGroup = this.groups.get(groupJid) ?? new Map<string, Entry>();
		this.groups.set(groupJid, ofGroup);
		for (const form of [...ids.map(({ canonical }) => canonical), ...others.flatMap(({ forms }) => forms)]) {
			if (ofGroup.get(form) === entry) continue;
			ofGroup.set(form, entry);
			entry.forms.push(form);
		}
		for (const known of found) this.entries.delete(known);
		this.entries.add(entry);
		if (this.entries.size > MOST_KNOWN) this.forgetSome();
		return entry;
	}

	/** Forgets a tenth: first people who are only members, then those whom no run has met for longest. */
	private forgetSome(): void {
		const all = groupBy(this.entries, ({ facts }) => isOnlyMember(facts));
		const ranked = [...(all.get(true) ?? []), ...(all.get(false) ?? [])];
		for (const entry of ranked.slice(0, MOST_KNOWN / 10)) {
			this.entries.delete(entry);
			for (const form of entry.forms) this.groups.get(entry.groupJid)?.delete(form);
		}
	}
}

/** Stands for the node that took somebody out, where none did. */
const NOBODY = '';

/** Adds the node to facts that don't say whose they are. */
function signed(facts: Facts, by: string, takenOutBy: string): Facts {
	return FACT_NAMES.reduce((all, name) => {
		const fact = all[name];
		if (fact === undefined || fact.by !== undefined) return all;
		return { ...all, [name]: { by: name === 'out' ? takenOutBy : by, ...fact } };
	}, facts);
}

function currentFacts({ facts, metAt }: Entry): Facts {
	const unmetFor = Date.now() - metAt;
	if (unmetFor < KNOWN_FOR) return facts;
	return without(facts, unmetFor < INVITES_KNOWN_FOR ? OTHERS : ALL_BUT_OUT);
}

/** A node's part in an execution. */
interface Author {
	/** The workflow and the node. */
	readonly node: string;
	/** Beginning of its first run, ms since 1970. */
	readonly startedAt: number;
}

/**
 * Notes the changes of a request that is sent now. A removal counts from then on: whoever is wanted after it didn't leave.
 *
 * @returns a function that notes what became of them: a result for each; `unknown`: they may have been made; `notSent`: certainly not
 */
export function noteChanges(
	people: KnownPeople,
	{ groupJid, action, changes }: ChangeRequest,
	{ node, startedAt }: Author,
): (results: readonly ChangeResult[] | 'unknown' | 'notSent') => void {
	if (action !== 'add' && action !== 'remove') return () => {};
	const asked = { at: Date.now(), by: node };
	const underWay = action === 'add' ? { asked } : { toLeave: asked, asked };
	for (const { participant } of changes) people.begin(groupJid, [participant.identity], underWay);
	const shouldBeMember = action === 'add';
	const situation = { shouldBeMember, presence: shouldBeMember ? 'absent' : 'found' } as const;
	return (results) => {
		// Not the time of sending: a run that reads the group meanwhile would see a member after the removal.
		const times = { now: toMinute(startedAt), at: Date.now(), lengthensWait: false };
		changes.forEach(({ participant }, i) => {
			const result = typeof results === 'string' ? results : (results[i] ?? 'unknown');
			const answer = typeof result === 'string' ? result : ({ source: 'reply', ...result, action } as const);
			const ids = distinct([
				participant.identity,
				typeof result === 'string' ? undefined : identityOf(result.jid),
			]);
			const hasTakenOut = typeof result !== 'string' && result.outcome === 'done';
			const change = (facts: Facts) => factsAfter(facts, situation, answer, times);
			people.note(groupJid, ids, node, change, hasTakenOut);
		});
	};
}
