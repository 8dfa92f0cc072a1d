import { identityFor, type Identity } from '../../../../nodes/MessagingGateway/groups/identity';
import type { Member } from '../../../../nodes/MessagingGateway/groups/people';
import type { Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import { UNKNOWN } from '../../../../nodes/MessagingGateway/groups/memory/groupMemory';
import { readRemembered } from '../../../../nodes/MessagingGateway/groups/memory/text';
import { plan, type Decision, type Plan } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import { onlyApproved, through } from '../../../../nodes/MessagingGateway/groups/sync/policies';
import type { PlanRules, Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { person, readMembers } from '../../support';

/** The instance's own account. */
const ME = '5511988880000';

/** When a run begins. */
export const NOW = Date.UTC(2026, 10, 22, 5);
export const DAY = 24 * 60 * 60 * 1000;

/** Short names for people, so that examples read well. Each has a number; `lid` names are hidden IDs. */
const NAMES: Record<string, string> = {
	me: ME,
	ana: '5511999990001',
	bo: '5511999990002',
	cleo: '5511999990003',
	dan: '5511999990004',
	eve: '5511999990005',
	// Ana's number with a 0 too many, with its country code twice, and as an older plan may have had it.
	anaNear: '55011999990001',
	anaTwice: '555511999990001',
	anaOld: '5599990001',
	// One number in both forms.
	gil: '5531999990006',
	gilShort: '553199990006',
};

/** The ID that a name stands for: a number, or `1@lid` for `lid1`. */
export function idOf(name: string): string {
	return NAMES[name] ?? name.replace(/^lid(\d+)$/, '$1@lid');
}

/**
 * Members as a gateway lists them: `ana` (shown by number), `lid1` (by hidden ID alone), `lid1=ana` (by both), each with
 * `*` for an admin, `**` for the superadmin, and `?` for a role that the gateway doesn't tell.
 */
export function members(text: string): Member[] {
	const participants = text
		.split(' ')
		.filter(Boolean)
		.map((one) => {
			const [, first = '', second, mark = ''] = /^([^=*?]+)(?:=([^*?]+))?(\**|\?)$/.exec(one) ?? [];
			const jid = (name: string) => (name.startsWith('lid') ? idOf(name) : `${idOf(name)}@s.whatsapp.net`);
			const role = mark === '?' ? {} : { admin: [null, 'admin', 'superadmin'][mark.length] };
			return { id: jid(first), ...role, ...(second && { phoneNumber: jid(second) }) };
		});
	return readMembers({ participants }) ?? [];
}

/** The rows of a list: `ana` should be a member, `-ana` should not; each is an item of its own. */
export function rows(text: string): Row[] {
	return text
		.split(' ')
		.filter(Boolean)
		.map((one, item) => ({
			item,
			participant: { ...person(idOf(one.replace('-', ''))), given: one },
			shouldBeMember: !one.startsWith('-'),
		}));
}

export function identities(text: string): Identity[] {
	return text
		.split(' ')
		.filter(Boolean)
		.map((name) => identityFor(idOf(name)));
}

/** What a node remembers of everybody, met a day ago. */
export function kept(facts: Facts): PlanRules['memory'] {
	const find = () => ({ node: { facts, metAt: NOW - DAY }, notes: UNKNOWN });
	return { find, lastRun: NOW - DAY, knowsAnybody: true };
}

/** The same in words: `left 2026-11-20T05:00Z; refused blocked 2026-11-21T05:00Z`. */
export function keptText(text: string): PlanRules['memory'] {
	return kept(readRemembered(text, NOW).facts);
}

/** What a first run of an execution has behind it. */
export const NONE_BEFORE: PlanRules['before'] = { removed: new Set(), wanted: new Set(), left: new Map() };

/** Rules as they are without any option, but for those given. */
export function rules(some: Partial<PlanRules> = {}): PlanRules {
	return {
		instance: 'main',
		groupJid: '1@g.us',
		own: identities('me'),
		protected: [],
		unlisted: 'keep',
		removeAdmins: false,
		badRow: false,
		withheld: [],
		bare: [],
		maxRemovalPercent: 100,
		dryRun: false,
		now: NOW,
		whoLeft: 'keepOut',
		removeAfter: 0,
		memory: kept({}),
		before: NONE_BEFORE,
		at: NOW,
		...some,
	};
}

export function planOf(list: string, group: string, some: Partial<PlanRules> = {}): Plan {
	return plan(rows(list), members(group), rules(some));
}

/**
 * A decision in words: `ana: add`, `ana bo: unchanged`, `(ana): kept self`, with the member's own ID in brackets where
 * no row names them.
 */
export function told(decision: Decision): string {
	const nameOf = (id: string) =>
		Object.keys(NAMES).find((name) => id.split('@')[0] === idOf(name)) ?? id.replace(/^(\d+)@lid$/, 'lid$1');
	const { rows: named, members: who, action, outcome } = decision;
	const names = named.map(({ participant }) => participant.given).join(' ');
	const what = outcome === 'planned' ? action : outcome;
	const sent = outcome === 'planned' ? ` ${nameOf(decision.participant.sentAs)}` : '';
	const reason = decision.reason === undefined ? '' : ` ${decision.reason}`;
	return `${names || `(${who.map(({ id }) => nameOf(id)).join()})`}: ${what}${sent}${reason}`;
}

/** All decisions of a plan, in words. */
export function decided(list: string, group: string, some: Partial<PlanRules> = {}): string[] {
	return through(planOf(list, group, some), onlyApproved(some.approved)).decisions.map(told);
}
