import fc from 'fast-check';
import { factsOfOne } from '../../../../nodes/MessagingGateway/actions/group/sync/rememberSync';
import type { AppliedSync } from '../../../../nodes/MessagingGateway/actions/group/sync/applySync';
import { changeResult, type Entry } from '../../../../nodes/MessagingGateway/groups/change';
import { readRowText, rowTextAfter } from '../../../../nodes/MessagingGateway/groups/memory/rowText';
import type { Outcome } from '../../../../nodes/MessagingGateway/groups/outcomes';
import type { WhoLeft } from '../../../../nodes/MessagingGateway/groups/sync/decide';
import type { Decision } from '../../../../nodes/MessagingGateway/groups/sync/plan';
import type { Row } from '../../../../nodes/MessagingGateway/groups/sync/rules';
import { person, readMembers } from '../../support';
import { runsOf } from '../../../thorough';
import { DAY, identities, NOW, plan, rules } from './example';

/**
 * Histories of one group over months: people join, leave, are removed by others, refuse, pay and stop paying; runs fail
 * in the middle, cells are emptied and edited. What is expected is kept by what truly happened, and by no memory.
 */

const GROUP = '1@g.us';
const PEOPLE = ['5511999990001', '5531999990002', '4915200000003'];
const RETRY = 7;

/** What happens to a person between two runs. */
const event = fc.constantFrom(
	'nothing',
	'nothing',
	'nothing',
	'joins',
	'goes',
	'pays',
	'stopsPaying',
	'refuses',
	'agrees',
	'isEmptied',
	'isScribbled',
	'isSilent',
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const history = fc.record({
	whoLeft: fc.constantFrom<WhoLeft>('keepOut', 'addAgain'),
	removeAfter: fc.constantFrom(0, 0, 3, 10),
	hidesNumbers: fc.constantFrom(false, false, true),
	days: fc.array(
		fc.record({
			passed: fc.constantFrom(0, 1, 1, 2, 5, 9),
			events: fc.tuple(event, event, event),
			/** Whether the results are written back; a run that fails in the middle gives none. */
			isWritten: fc.constantFrom(true, true, true, false),
		}),
		{ minLength: 1, maxLength: 14 },
	),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

/** A person, and what the sheet can know of them: what was told by runs whose results were written back. */
interface Somebody {
	readonly phone: string;
	isIn: boolean;
	pays: boolean;
	refuses: boolean;
	isSilent: boolean;
	memory: string;
	/** In the group by the last run that could tell, and no run has removed them since. */
	wasMember: boolean;
	refusedAt: number;
	unpaidSince: number;
}

const forget = (one: Somebody) =>
	Object.assign(one, { memory: '', wasMember: false, refusedAt: -Infinity, unpaidSince: Infinity });

const EVENTS: Record<Event, (one: Somebody) => void> = {
	nothing: () => {},
	joins: (one) => (one.isIn = true),
	goes: (one) => (one.isIn = false),
	pays: (one) => (one.pays = true),
	stopsPaying: (one) => (one.pays = false),
	refuses: (one) => (one.refuses = true),
	agrees: (one) => (one.refuses = false),
	isSilent: (one) => (one.isSilent = !one.isSilent),
	isEmptied: forget,
	isScribbled: (one) => Object.assign(forget(one), { memory: 'see my notes; member yesterday' }),
};

/** Plays a history. @returns what went wrong, in words; how many were asked, removed and kept out */
function play({ whoLeft, removeAfter, hidesNumbers, days }: History) {
	const people = PEOPLE.map((phone) => ({
		...forget({ phone, isIn: false, pays: true, refuses: false, isSilent: false } as Somebody),
	}));
	const wrong: string[] = [];
	const seen = { asked: 0, removed: 0, left: 0 };
	let now = NOW;
	for (const { passed, events, isWritten } of days) {
		now += passed * DAY;
		people.forEach((one, i) => EVENTS[events[i] ?? 'nothing'](one));
		const before = people.map(({ memory }) => memory);
		const { decisions, texts } = run(people, { whoLeft, removeAfter, hidesNumbers, now });
		people.forEach((one, i) => {
			const decision = decisions[i];
			const text = texts[i] ?? '';
			if (decision === undefined) return void wrong.push(`nothing is said of ${one.phone}`);
			const { outcome, action } = decision;
			const isAsked = outcome === 'planned' && action === 'add';
			const isRemoved = outcome === 'planned' && action === 'remove';
			if (isAsked) seen.asked++;
			if (isRemoved) seen.removed++;
			if (outcome === 'left') seen.left++;
			if (isAsked && one.wasMember && whoLeft === 'keepOut') wrong.push('adds who left');
			if (isAsked && now < one.refusedAt + RETRY * DAY) wrong.push('asks who refused');
			if (isRemoved && one.pays) wrong.push('removes who pays');
			if (isRemoved && now < Math.min(one.unpaidSince, now) + removeAfter * DAY)
				wrong.push('removes too early');
			if (outcome === 'left' && one.isIn) wrong.push('says of a member that they left');
			const read = readRowText(text, GROUP, person(one.phone).identity, now);
			if (text !== before[i] && read.isUnreadable) wrong.push(`writes ${text}`);
			if (rowTextAfter(read, read.facts) !== text) wrong.push(`reads another text than ${text}`);
			isNow(one, { isAsked, isRemoved, isWritten, hidesNumbers, removeAfter, now, whoLeft });
			if (isWritten) one.memory = text;
		});
		if (isWritten && !people.some(({ isSilent }) => isSilent)) {
			const calm = run(people, { whoLeft, removeAfter, hidesNumbers, now });
			const again = calm.decisions.filter(({ outcome }) => outcome === 'planned');
			if (again.length > 0) wrong.push('asks again at once');
			if (calm.texts.join() !== texts.join()) wrong.push(`changes ${texts.join()} to ${calm.texts.join()}`);
		}
	}
	return { wrong, seen };
}

interface Settings {
	whoLeft: WhoLeft;
	removeAfter: number;
	hidesNumbers: boolean;
	now: number;
}

/** What truly came of a run, and what the sheet can know of it. */
function isNow(
	one: Somebody,
	{
		isAsked,
		isRemoved,
		isWritten,
		hidesNumbers,
		now,
	}: Settings & { isAsked: boolean; isRemoved: boolean; isWritten: boolean },
): void {
	const wasIn = one.isIn;
	if (isAsked && !one.refuses) one.isIn = true;
	if (isRemoved) one.isIn = false;
	if (!isWritten) return;
	// A member by their number, or by the gateway's word.
	const isKnownIn = hidesNumbers
		? isAsked && one.isIn && !one.isSilent
		: wasIn || (isAsked && one.isIn && !one.isSilent);
	if (one.pays) {
		one.unpaidSince = Infinity;
		if (isKnownIn) Object.assign(one, { wasMember: true, refusedAt: -Infinity });
		if (isAsked && one.refuses && !wasIn && !one.isSilent)
			Object.assign(one, { refusedAt: now, wasMember: false });
	} else {
		if (wasIn && !hidesNumbers && one.unpaidSince === Infinity) one.unpaidSince = now;
		if ((isRemoved && !one.isSilent) || !wasIn) one.unpaidSince = Infinity;
		// Who is out as asked is nobody who left, and a refusal is over then.
		if (!hidesNumbers) one.wasMember = false;
		if (!hidesNumbers && (!wasIn || (isRemoved && !one.isSilent))) one.refusedAt = -Infinity;
	}
}

function run(people: readonly Somebody[], { whoLeft, removeAfter, hidesNumbers, now }: Settings) {
	const rows = people.map(({ phone, pays, memory }, item): Row => {
		const participant = person(phone);
		const remembered = readRowText(memory, GROUP, participant.identity, now);
		return {
			item,
			participant,
			shouldBeMember: pays,
			memoryText: memory,
			memory: { ...remembered, whoLeft, removeAfter },
		};
	});
	const jid = (phone: string) => (hidesNumbers ? `${phone}@lid` : `${phone}@s.whatsapp.net`);
	const participants = [
		{ id: hidesNumbers ? '7@lid' : '5511988880000@s.whatsapp.net', admin: 'superadmin' },
		...people
			.filter(({ isIn }) => isIn)
			.map(({ phone }) => ({ id: jid(`9${phone}`.replace(/^9(?=55|49)/, '')), admin: null })),
	];
	const members = readMembers({ participants }) ?? [];
	const made = plan(rows, members, rules({ own: identities('me'), now, retryRefusedAfter: RETRY }));
	const entries: AppliedSync['entries'] = new Map();
	for (const decision of made.decisions) {
		const one = people[decision.rows[0]?.item ?? -1];
		const entry = one && resultFor(decision, one);
		if (entry) entries.set(decision, { entry, source: 'reply' });
	}
	const texts = made.decisions.map((decision) => {
		const memory = decision.rows[0]?.memory;
		return memory ? rowTextAfter(memory, factsOfOne(decision, { entries }, now)) : '';
	});
	return { decisions: made.decisions, texts };
}

/** What the gateway says of a change. */
function resultFor(decision: Decision, { isIn, refuses, isSilent }: Somebody): Entry | undefined {
	if (decision.outcome !== 'planned') return undefined;
	const { action } = decision;
	const said: [Outcome, boolean | null] = isSilent
		? ['unconfirmed', null]
		: action === 'remove'
			? ['done', true]
			: isIn
				? ['unchanged', true]
				: refuses
					? ['inviteRequired', false]
					: ['done', true];
	const [outcome, applied] = said;
	const change = { instance: 'one', groupJid: GROUP, action, participant: person(decision.sentAs) };
	const code = isSilent ? {} : { code: '1' };
	return { result: { ...changeResult(change, { outcome, applied, message: '' }), ...code } };
}

it('whatever happens, nobody is asked or removed who is not to be, and the texts stay true', () => {
	const all = { asked: 0, removed: 0, left: 0 };
	fc.assert(
		fc.property(history, (one) => {
			const { wrong, seen } = play(one);
			for (const what of ['asked', 'removed', 'left'] as const) all[what] += seen[what];
			expect(wrong).toEqual([]);
		}),
		runsOf(5_000),
	);
	expect(Math.min(...Object.values(all))).toBeGreaterThan(50);
});
