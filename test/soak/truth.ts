import type { OutputItem } from '../engine/engine';
import { toJid, type GroupSnapshot } from '../gateway/gateway';
import { toLid } from '../gateway/jid';
import type { Action, SheetRow } from './plan';

/** How somebody stands to a group. */
type Standing = 'out' | 'member' | 'admin';

/** What a run says of one participant: applied or rejected, nothing carried out, or not known. */
type Claim = 'applied' | 'rejected' | 'untouched' | 'unknown';

/** What the comparison of a run with the gateway's groups came to. */
export interface Comparison {
	/** How many participants got which outcome; those of error items too. */
	outcomes: Map<string, number>;
	contradictions: string[];
}

const after: Record<Action, (standing: Standing) => Standing> = {
	add: (standing) => (standing === 'out' ? 'member' : standing),
	remove: () => 'out',
	promote: (standing) => (standing === 'out' ? 'out' : 'admin'),
	demote: (standing) => (standing === 'out' ? 'out' : 'member'),
};
/** How somebody can stand to the group where it is as asked. A person who is not a member can't be demoted. */
const asAsked: Record<Action, readonly Standing[]> = {
	add: ['member', 'admin'],
	remove: ['out'],
	promote: ['admin'],
	demote: ['member'],
};

/** How somebody can stand after a change, given how they could before it, and what the run says of it. */
function possible(before: readonly Standing[], action: Action, claim: Claim): Standing[] {
	const changed = before.map(after[action]);
	switch (claim) {
		case 'applied':
			return changed.filter((standing) => asAsked[action].includes(standing));
		case 'rejected':
			return before.filter((standing) => !asAsked[action].includes(standing) || action === 'demote');
		case 'untouched':
			return [...before];
		case 'unknown':
			return [...new Set([...before, ...changed])];
	}
}

/** What an error item says of its participants. Where some were applied, it does not say which. */
function claimOfError(message: string): { claim: Claim; outcome: string } {
	if (/not known/.test(message)) return { claim: 'unknown', outcome: 'failed, not known' };
	if (/\d+ of the \d+ participants of this item were applied/.test(message))
		return { claim: 'unknown', outcome: 'failed, partly applied' };
	const unsent = /[Nn]othing was sent/.test(message);
	return { claim: 'untouched', outcome: unsent ? 'failed, not sent' : 'failed, not carried out' };
}

/** The claims about each participant of a row, in their order; nothing where the output does not fit the row. */
function claimsOf(
	{ phones }: SheetRow,
	items: OutputItem[],
): Array<{ claim: Claim; outcome: string }> | undefined {
	const [first] = items;
	if (items.length === 1 && first?.error !== undefined)
		return phones.map(() => claimOfError(first.error?.message ?? ''));
	const fits = items.length === phones.length && items.every(({ json }, i) => json.participant === phones[i]);
	if (!fits) return undefined;
	return items.map(({ json }) => ({
		claim: json.applied === true ? 'applied' : json.applied === false ? 'rejected' : 'unknown',
		outcome: String(json.outcome),
	}));
}

/** The standing of everybody whom a group knows. */
class Groups {
	private readonly groups: Map<string, GroupSnapshot>;

	constructor(snapshot: readonly GroupSnapshot[], instance: string) {
		const own = snapshot.filter((group) => group.instance === instance);
		this.groups = new Map(own.map((group) => [group.groupJid, group]));
	}

	standing(group: string, jid: string): Standing {
		const { members = [], admins = [] } = this.groups.get(group) ?? {};
		if (!members.includes(jid)) return 'out';
		return admins.includes(jid) ? 'admin' : 'member';
	}

	/** Everybody in a group, as `group jid`. */
	everybody(): string[] {
		return [...this.groups.values()].flatMap(({ groupJid, members }) =>
			members.map((jid) => `${groupJid} ${jid}`),
		);
	}
}

const hiddenNumbers = '120363000000000003@g.us';

/** Compares what a run says with what the gateway's groups show. */
export function compare(
	rows: readonly SheetRow[],
	output: readonly OutputItem[],
	instance: string,
	before: readonly GroupSnapshot[],
	now: readonly GroupSnapshot[],
): Comparison {
	const [groupsBefore, groupsNow] = [new Groups(before, instance), new Groups(now, instance)];
	const outcomes = new Map<string, number>();
	const contradictions: string[] = [];
	const standings = new Map<string, Standing[]>();
	const history = new Map<string, string[]>();
	const ofItem = (item: number) =>
		output.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item }));

	for (const one of [...groupsBefore.everybody(), ...groupsNow.everybody()]) {
		const [group = '', jid = ''] = one.split(' ');
		standings.set(one, [groupsBefore.standing(group, jid)]);
	}
	rows.forEach((row, item) => {
		const claims = claimsOf(row, ofItem(item));
		if (claims === undefined) {
			contradictions.push(`item ${item}: its ${row.phones.length} participants are not all in the output`);
			return;
		}
		row.phones.forEach((phone, i) => {
			const { claim = 'unknown', outcome = '' } = claims[i] ?? {};
			const jid = toJid(phone.replace(/^00/, ''));
			const person = `${row.group} ${row.group === hiddenNumbers ? toLid(jid) : jid}`;
			const could = standings.get(person) ?? ['out'];
			standings.set(person, possible(could, row.action, claim));
			const said = `item ${item}: ${row.action}, ${outcome} (${claim})`;
			history.set(person, [...(history.get(person) ?? [`was ${could.join('/')}`]), said]);
			outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
		});
	});
	for (const [person, could] of standings) {
		const [group = '', jid = ''] = person.split(' ');
		const is = groupsNow.standing(group, jid);
		if (could.includes(is)) continue;
		const said = history.get(person)?.join('; ') ?? 'not mentioned by any item';
		contradictions.push(`${person} is ${is}, but could be ${could.join('/') || 'nothing'}: ${said}`);
	}
	return { outcomes, contradictions };
}
