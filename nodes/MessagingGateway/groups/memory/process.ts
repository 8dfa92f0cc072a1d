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
	/** By which the person is found: the group and an ID. */
	readonly keys: ReadonlySet<string>;
	facts: Facts;
	/** Facts of a change that is under way. If its result never comes, they stay. */
	underWay: Facts;
	metAt: number;
	/** Times at which runs added the person again whom another node had taken out. */
	readonly returns: number[];
}

/** People in groups of a gateway: what all nodes in the process did and saw. */
export class KnownPeople {
	private readonly byKey = new Map<string, Entry>();

	/** The longest unmet come first. */
	private readonly entries = new Set<Entry>();

	/** Nodes whose facts n8n was given to keep. */
	readonly storedFor = new Set<string>();

	find(groupJid: string, ids: readonly Identity[]): Remembered {
		const found = this.entriesOf(personKeys(groupJid, ids));
		if (found.length === 0) return UNKNOWN;
		const facts = consistent(found.flatMap((entry) => [currentFacts(entry), entry.underWay]));
		return {
			facts,
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
	note(groupJid: string, ids: readonly Identity[], by: string, change: (facts: Facts) => Facts): void {
		const entry = this.meet(groupJid, ids);
		// Another node's change may still be under way.
		const own = FACT_NAMES.filter((name) => entry.underWay[name]?.by === by);
		entry.underWay = without(entry.underWay, own);
		entry.facts = signed(change(entry.facts), by);
	}

	/** Notes that a run has added a person again whom another node had taken out. @param at ms since 1970 */
	noteReturn(groupJid: string, ids: readonly Identity[], at: number): void {
		this.meet(groupJid, ids).returns.push(at);
	}

	/** Notes what a run found out. @param since ms since 1970: what other nodes have noted from then on stays */
	remember(groupJid: string, ids: readonly Identity[], by: string, facts: Facts, since: number): void {
		this.note(groupJid, ids, by, (before) => {
			const isNewer = (name: FactName) => before[name]?.by !== by && (before[name]?.at ?? 0) >= since;
			return consistent([
				facts,
				without(
					before,
					FACT_NAMES.filter((name) => !isNewer(name)),
				),
			]);
		});
	}

	private entriesOf(keys: readonly string[]): Entry[] {
		return [...new Set(keys.flatMap((key) => this.byKey.get(key) ?? []))];
	}

	/** Makes the entry of a person whom a run meets now, out of all that are known of these IDs. */
	private meet(groupJid: string, ids: readonly Identity[]): Entry {
		const keys = personKeys(groupJid, ids);
		const found = this.entriesOf(keys);
		const entry: Entry = {
			keys: new Set([...keys, ...found.flatMap((known) => [...known.keys])]),
			facts: consistent(found.map(currentFacts)),
			underWay: consistent(found.map(({ underWay }) => underWay)),
			metAt: Date.now(),
			returns: found.flatMap(({ returns }) => returns),
		};
		for (const known of found) this.entries.delete(known);
		for (const key of entry.keys) this.byKey.set(key, entry);
		this.entries.add(entry);
		if (this.entries.size > MOST_KNOWN) this.forgetSome();
		return entry;
	}

	/** Forgets a tenth: first people who are only members, then those whom no run has met for longest. */
	private forgetSome(): void {
		const order = ({ facts }: Entry) => (isOnlyMember(facts) ? 0 : 1);
		const ranked = [...this.entries].sort((entry, other) => order(entry) - order(other));
		for (const entry of ranked.slice(0, MOST_KNOWN / 10)) {
			this.entries.delete(entry);
			for (const key of entry.keys) this.byKey.delete(key);
		}
	}
}

/** Stands for the node that took somebody out, where none did. */
export const NOBODY = '';

/** Adds the node to facts that don't say whose they are. */
function signed(facts: Facts, by: string): Facts {
	return FACT_NAMES.reduce(
		(all, name) => (all[name] ? { ...all, [name]: { by, ...all[name] } } : all),
		facts,
	);
}

function personKeys(groupJid: string, ids: readonly Identity[]): string[] {
	return ids.map(({ canonical }) => `${groupJid} ${canonical}`);
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
			const answer = typeof result === 'string' ? result : ({ ...result, action, source: 'reply' } as const);
			const ids = distinct([
				participant.identity,
				typeof result === 'string' ? undefined : identityOf(result.jid),
			]);
			// Who wasn't in the group was taken out by nobody.
			const by = typeof result !== 'string' && result.outcome === 'unchanged' ? NOBODY : node;
			people.note(groupJid, ids, node, (facts) => {
				const after = factsAfter(facts, situation, answer, times);
				return after.out && !facts.out ? { ...after, out: { ...after.out, by } } : after;
			});
		});
	};
}
