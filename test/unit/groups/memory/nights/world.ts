import { DAY, HOUR, MINUTE } from '../../../../../nodes/MessagingGateway/common/time';
import { randomFrom } from '../../../../engine/soak/random';
import { clock } from './clock';
import { PlayedGateway, type Accident, type Account } from './gateway';
import { PlayedN8n, type Given, type PlayedNode } from './n8n';

/** How a workflow comes by its list: all rows with a column, payers alone with Remove, parts of it, one row at a time. */
export const KINDS = [
	'column',
	'remove',
	'noon',
	'weekly',
	'weekly parts',
	'monthly',
	'thirds',
	'rounds',
	'calls',
	'grace',
] as const;
export type Kind = (typeof KINDS)[number];

/** Where it runs: in one process; in workers that change, without n8n's memory; in those, as a sub-workflow. */
export type Mode = 'regular' | 'workers' | 'sub-workflow';

/** Harms to people, and what it cost. */
export const NO_HARMS = {
	payersRemoved: 0,
	/** For ten days and three runs, or for six weeks, though nothing was in the way. */
	keptOut: 0,
	keptOutForGood: 0,
	leaversAdded: 0,
	secondMessages: 0,
	askedAgain: 0,
	redNights: 0,
	requests: 0,
	changes: 0,
};
export type Harms = typeof NO_HARMS;

/** Somebody, and what is true of them. */
interface Person extends Account {
	readonly name: string;
	/** The number in the list, which may be an old one. */
	row: string;
	pays: boolean;
	/** Whether they want to be in the group: not those who have left, until they join or pay again; `undefined`: nobody could tell. */
	wantsIn: boolean | undefined;
	/** Number of runs since they paid last. */
	unpaidRuns: number;
	/** Whether a run that wanted them has seen them in the group: before that, nobody can know that they left. */
	wasSeen: boolean;
	missingUntil: number;
	refusesUntil: number;
	correctedAt: number;
	/** Since when they are kept out, and how many runs did so. */
	outSince: number;
	outRuns: number;
	refused: { at: number; sentAs: string } | undefined;
	wasInvited: boolean;
}

const PEOPLE = 40;

/** Where each has a run of their own. */
const FEW = 14;
const START = Date.UTC(2026, 0, 1, 5);
const GROUP = '120363000000000001@g.us';

/** How probable accidents are in a night, where it isn't as usual. */
export type Accidents = Partial<
	Record<
		'holidays' | 'mistake' | 'overlap' | 'restart' | 'paste' | 'missing' | 'page' | 'lost' | 'silence',
		number
	>
>;

let worlds = 0;

/** A world of a group and its workflow, with all accidents but those that are turned off. */
export class World {
	readonly harms: Harms = { ...NO_HARMS };

	readonly people: Person[];

	readonly gateway: PlayedGateway;

	private readonly night: PlayedN8n;

	private readonly web: PlayedN8n;

	private node: PlayedNode;

	private readonly inviteNode: PlayedNode;

	private readonly random: () => number;

	private executions = 0;

	private restarts = 0;

	private offUntil = 0;

	private isRed = false;

	constructor(
		private readonly seed: number,
		private readonly kind: Kind,
		private readonly mode: Mode,
		private readonly accidents: Accidents = {},
	) {
		this.random = randomFrom(seed);
		const length = kind === 'rounds' || kind === 'calls' ? FEW : PEOPLE;
		this.people = Array.from({ length }, (_, i): Person => {
			const phone = `55${11 + (i % 20)}9${String(90000000 + seed * 1000 + i)}`;
			const isNew = i % 4 === 2;
			return {
				...{
					name: `Person ${i}`,
					phone,
					row: phone,
					lid: `${7000000 + i}@lid`,
					former: [],
					refusal: undefined,
				},
				...{ isIn: !isNew, pays: i % 8 !== 3, wantsIn: true, wasInvited: false, refused: undefined },
				wasSeen: false,
				unpaidRuns: 0,
				...{ missingUntil: 0, refusesUntil: 0, correctedAt: 0, outSince: 0, outRuns: 0 },
			};
		});
		this.gateway = new PlayedGateway(this.people, (what, who, sentAs) =>
			this.judge(what, who as Person, sentAs),
		);
		// Another world's processes know its future.
		const address = `world-${++worlds}`;
		this.night = new PlayedN8n(this.gateway, address, 'night', mode !== 'workers');
		this.web = new PlayedN8n(this.gateway, address, 'web', mode === 'regular');
		this.node = { id: 'sync-0', name: 'Sync', parameters: syncParameters(kind) };
		this.inviteNode = { id: 'invite', name: 'Invite', parameters: INVITE };
	}

	/** Plays nights, and counts their harms. */
	async play(nights: number): Promise<Harms> {
		for (let i = 0; i < nights; i++) {
			clock.now = START + i * DAY + Math.round((this.random() - 0.5) * 80) * MINUTE;
			await this.playNight(i);
		}
		this.harms.requests = this.gateway.requests;
		this.harms.changes = this.gateway.changes;
		return this.harms;
	}

	private chance(probability: number, accident?: keyof Accidents): boolean {
		const most = accident === undefined ? undefined : this.accidents[accident];
		return this.random() < (most ?? probability);
	}

	private async playNight(i: number): Promise<void> {
		this.isRed = false;
		for (const person of this.people) this.live(person);
		if (this.chance(1 / 300, 'holidays')) this.offUntil = i + 14 + Math.floor(this.random() * 28);
		if (this.chance(1 / 365, 'mistake')) for (const person of this.people) person.isIn = false;
		if (this.chance(1 / 20, 'restart')) this.restarts++;
		if (this.chance(1 / 150, 'paste')) this.node = { ...this.node, id: `sync-${i}` };
		if (this.chance(1 / 60)) await this.refund();
		const accident = (['page', 'lost', 'silence'] as const).find((kind) => this.chance(1 / 60, kind));
		this.gateway.accident = accident && { kind: accident, left: 1 + Math.floor(this.random() * 3) };
		if (i < this.offUntil) return;
		const lists = this.listsOf(i);
		for (const [hours, list] of lists) {
			clock.now += hours * HOUR;
			this.switchProcess();
			await this.sync(list, accident);
		}
		if (this.isRed) this.harms.redNights++;
	}

	/** Lets a day of somebody's life go by. */
	private live(person: Person): void {
		const { chance } = { chance: (probability: number) => this.random() < probability };
		if (person.isIn && person.wasSeen && chance(0.004))
			Object.assign(person, { isIn: false, wantsIn: false, wasSeen: false });
		// Who was added against their will goes again.
		if (person.isIn && person.wantsIn === false) person.isIn = false;
		if (!person.isIn && !person.wantsIn && chance(0.01)) Object.assign(person, { isIn: true, wantsIn: true });
		if (person.wasInvited && !person.isIn && person.wantsIn && chance(0.1)) person.isIn = true;
		if (chance(person.pays ? 0.004 : 0.02)) {
			person.pays = !person.pays;
			person.refused = undefined;
			// Who paid again before two runs have seen that they didn't may be a slip in the list.
			if (person.pays && person.wantsIn === false) person.wantsIn = person.unpaidRuns >= 2 || undefined;
			person.unpaidRuns = 0;
		}
		if (chance(0.003))
			Object.assign(person, {
				refusal: chance(0.5) ? '403' : '401',
				refusesUntil: clock.now + this.random() * 60 * DAY,
			});
		if (clock.now > person.refusesUntil) person.refusal = undefined;
		if (chance(0.0005)) {
			person.former.push(person.phone);
			person.phone = `55${11 + Math.floor(this.random() * 20)}9${String(80000000 + this.seed * 1000 + Math.floor(this.random() * 1e6)).slice(0, 8)}`;
			person.correctedAt = clock.now + this.random() * 20 * DAY;
		}
		if (person.row !== person.phone && clock.now > person.correctedAt) {
			person.row = person.phone;
			// In the list they are somebody else.
			person.wantsIn ||= undefined;
		}
		if (this.chance(0.004, 'missing')) person.missingUntil = clock.now + DAY - HOUR;
	}

	/** Takes somebody out by a node of another workflow, who pays again at once. */
	private async refund(): Promise<void> {
		const person = this.people.find(({ isIn, pays }) => isIn && pays && this.random() < 0.1);
		if (person === undefined) return;
		person.pays = false;
		this.web.switchTo(this.restarts * 10);
		await this.web.run(
			{ id: 'web', name: 'Web', parameters: REFUND },
			{ items: [{ phone: person.phone }], execution: `web-${++this.executions}` },
		);
		person.pays = true;
	}

	private switchProcess(): void {
		const worker = this.mode === 'regular' ? 0 : Math.floor(this.random() * 2);
		this.night.switchTo(this.restarts * 10 + worker);
	}

	/** Makes the lists of a night, each after some hours. */
	private listsOf(i: number): Array<[hours: number, list: Person[]]> {
		const all = this.people.filter(({ missingUntil }) => missingUntil < clock.now);
		const third = all.filter((person) => this.people.indexOf(person) % 3 === i % 3);
		switch (this.kind) {
			case 'noon':
				return [
					[0, all],
					[7, all.filter(() => this.random() < 0.1)],
				];
			case 'weekly':
				return i % 7 === 0 ? [[0, all]] : [];
			case 'weekly parts':
				return i % 7 === 0 ? [[0, all]] : i % 7 === 3 ? [[0, third]] : [];
			case 'monthly':
				return i % 30 === 0 ? [[0, all]] : [];
			case 'thirds':
				return [[0, third]];
			case 'remove':
			case 'grace':
				return [[0, all.filter(({ pays }) => pays)]];
			default:
				return [[0, all]];
		}
	}

	private async sync(list: readonly Person[], accident: Accident | undefined): Promise<void> {
		if (list.length === 0) return;
		const given: Given[] = [];
		const loaded = this.night.load();
		given.push(...(await this.execute(list, loaded)));
		if (this.chance(1 / 40, 'overlap')) {
			clock.now += 10 * MINUTE;
			if (this.mode !== 'regular') this.switchProcess();
			const other = this.night.load();
			given.push(...(await this.execute(list, other)));
			const [first, last] = this.random() < 0.5 ? [loaded, other] : [other, loaded];
			this.night.save(first);
			this.night.save(last);
		} else this.night.save(loaded);
		const items = given.flatMap((one) => one.items);
		if (given.some(({ error }) => error) || items.some(({ json }) => json.error !== undefined))
			this.isRed = true;
		for (const person of this.people) if (!person.pays) person.unpaidRuns++;
		for (const person of list) this.countKeptOut(person, accident);
	}

	/** Runs Sync on a list as the kind of workflow does, then Send Invite for who needs one. */
	private async execute(list: readonly Person[], data: Record<string, unknown>): Promise<Given[]> {
		const rows = list.map(({ name, row, pays }) => ({ name, phone: row, paid: pays }));
		const isByRow = this.kind === 'rounds' || this.kind === 'calls';
		const rounds = isByRow ? rows.map((row) => [row]) : [rows];
		const given: Given[] = [];
		let execution = String(++this.executions);
		const how = { mode: this.mode === 'sub-workflow' ? 'integrated' : 'trigger' };
		for (const [runIndex, items] of rounds.entries()) {
			if (this.kind === 'calls') execution = String(++this.executions);
			const run = { ...how, items, execution, runIndex: this.kind === 'calls' ? 0 : runIndex };
			given.push(await this.night.run(this.node, run, data as never));
		}
		const toInvite = given
			.flatMap(({ items }) => items)
			.filter(({ json }) => json.outcome === 'inviteRequired');
		const items = toInvite.map(({ json }) => ({ phone: json.participant }));
		if (items.length > 0)
			given.push(await this.night.run(this.inviteNode, { ...how, items, execution }, data as never));
		return given;
	}

	private judge(what: 'added' | 'removed' | 'refused' | 'invited', who: Person, sentAs: string): void {
		if (what === 'added' && who.wantsIn === false) this.harms.leaversAdded++;
		if (what === 'removed') {
			if (who.pays) this.harms.payersRemoved++;
			who.wasInvited = false;
		}
		if (what === 'refused') {
			const { refused } = who;
			if (refused?.sentAs === sentAs && clock.now - refused.at < 7 * DAY - 3 * HOUR) this.harms.askedAgain++;
			who.refused = { at: clock.now, sentAs };
		}
		if (what === 'invited') {
			if (who.wasInvited) this.harms.secondMessages++;
			who.wasInvited = true;
		}
	}

	/** Counts who is kept out though they want in, pay, and nothing is in the way. */
	private countKeptOut(person: Person, accident: Accident | undefined): void {
		const { pays, wantsIn, isIn, refusal, row, phone } = person;
		person.wasSeen = isIn && pays;
		if (isIn || !pays || !wantsIn) {
			person.outRuns = 0;
			return;
		}
		if (refusal !== undefined || row !== phone) return;
		if (accident !== undefined) return;
		if (person.outRuns++ === 0) person.outSince = clock.now;
		const days = (clock.now - person.outSince) / DAY;
		if (person.outRuns >= 3 && days > 10 && person.outRuns < 1000) {
			this.harms.keptOut++;
			person.outRuns = 1000;
		}
		if (person.outRuns >= 1003 && days > 42 && person.outRuns < 100_000) {
			this.harms.keptOutForGood++;
			person.outRuns = 100_000;
		}
	}
}

const locator = (value: string) => ({ __rl: true, mode: 'id', value });
const COMMON = {
	resource: 'group',
	instance: locator('main'),
	group: locator(GROUP),
	participants: '={{ $json.phone }}',
	dryRun: false,
};

function syncParameters(kind: Kind): object {
	const isRemove = kind === 'remove' || kind === 'grace';
	const shouldBeMember = isRemove ? true : '={{ $json.paid }}';
	const limits = { ...(kind === 'grace' && { removeAfter: 1 }) };
	return {
		...COMMON,
		operation: 'syncParticipants',
		shouldBeMember,
		unlisted: isRemove ? 'remove' : 'keep',
		limits,
		// In either place.
		options: { batchInterval: 0, shouldBeMember, ...limits },
	};
}

const INVITE = {
	...COMMON,
	operation: 'sendInvite',
	message: 'Join us:',
	limits: {},
	options: { batchInterval: 0 },
};
const REFUND = {
	...COMMON,
	operation: 'updateParticipants',
	action: 'remove',
	options: { batchInterval: 0 },
};
