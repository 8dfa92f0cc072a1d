import { KINDS, kindsSeed, type Gateway } from '../../gateway/gateway';
import type { Engine, RunOptions } from '../engine';
import {
	describeEachLine,
	groupParameters,
	inviteParameters,
	REGULAR_OUTPUT,
	type NodeSettings,
	skipPauses,
	syncParameters,
	workflowOf,
	withGateways,
} from '../support';
import { runBehindTrigger } from './workflows';

const DAY = 24 * 60 * 60 * 1000;
const GROUP = KINDS.numbers;
/** People who can be added, and one who needs an invite. */
const PEOPLE = Array.from({ length: 10 }, (_, i) => `49152000001${10 + i}`);
const [ANA = '', BO = ''] = PEOPLE;
const THIRD = 4;
const INVITE_ONLY = '5511990000403';

interface SheetRow {
	phone: string;
	paid?: boolean;
}

/** A list that is synced night after night, as a new node does it, with what n8n and the process keep. */
class Nights {
	day = 0;
	/** Part of a day by which the next nights come early. */
	early = 0;

	/** The node's ID, which cut and paste changes. */
	id = 'Gateway';

	private seen = 0;

	readonly staticData = new Map<string, NonNullable<RunOptions['staticData']>>();

	constructor(
		private readonly engine: Engine,
		readonly gateway: Gateway,
		readonly sheet: SheetRow[],
		readonly limits: object = {},
	) {}

	/** Runs the night, or by hand at noon. @param how what is different tonight @returns outcomes, and the people who were asked for */
	async night({
		rows = this.sheet,
		node = 'Sync',
		mode = 'trigger',
		isKilled = false,
		settings = REGULAR_OUTPUT,
		unlisted = 'remove',
		dryRun = false,
	}: {
		rows?: SheetRow[];
		node?: string;
		mode?: NonNullable<RunOptions['mode']>;
		isKilled?: boolean;
		settings?: NodeSettings;
		unlisted?: string;
		dryRun?: boolean;
	} = {}) {
		this.day = Math.floor(this.day) + (mode === 'manual' ? 0.5 : 1);
		const parameters = syncParameters({
			group: GROUP,
			unlisted,
			dryRun,
			shouldBeMember: '={{ $json.paid ?? true }}',
			limits: { maxRemovalPercent: 100, ...this.limits },
		});
		const { main, hints, error } = await this.run(node, parameters, rows, mode, isKilled, settings);
		const outcomes = Object.fromEntries(
			main.map(({ json }) => [
				String(json.participant),
				[json.outcome, json.reason].filter(Boolean).join(' '),
			]),
		);
		return { outcomes, hints, main, error };
	}

	/** Another workflow changes one person at noon. */
	async webhook(action: 'add' | 'remove', phone: string) {
		const parameters = groupParameters({ instance: 'keeper', group: GROUP, action, participants: phone });
		// It stays noon until the next night: where the clock goes back, the account waits for its pause once more.
		this.day = Math.floor(this.day) + 0.5;
		await this.run('Webhook', parameters, [{ phone }], 'webhook');
	}

	/** Invites people after the night. @returns outcomes */
	async invite(phones: readonly string[]) {
		const parameters = inviteParameters({ dryRun: false });
		const { main } = await this.run(
			'Invite',
			parameters,
			phones.map((phone) => ({ phone })),
			'trigger',
		);
		return main.map(({ json }) => json.outcome);
	}

	/** Counts the requests for a change of a person since it was asked last. */
	asked(phone: string): number {
		const isAbout = ({ path, body }: Gateway['calls'][number]) =>
			path.includes('/updateParticipant/') && JSON.stringify(body).includes(phone);
		const all = this.gateway.calls.slice(this.seen).filter(isAbout);
		this.seen = this.gateway.calls.length;
		return all.length;
	}

	leaves(phone: string): void {
		this.gateway.network.leave('keeper', GROUP, phone);
	}

	private async run(
		name: string,
		parameters: object,
		items: object[],
		mode: NonNullable<RunOptions['mode']>,
		isKilled = false,
		settings: NodeSettings = REGULAR_OUTPUT,
	) {
		const { url: baseUrl, apiKey } = this.gateway;
		const { nodes, ...workflow } = workflowOf(parameters, settings);
		const pasted = nodes.map((node) => (node.name === 'Gateway' ? { ...node, id: this.id } : node));
		const { outputs, hints, staticData, error } = await this.engine.run(
			{ ...workflow, nodes: pasted, name },
			{
				credentials: { baseUrl, apiKey },
				items: { Items: items },
				mode,
				staticData: this.staticData.get(name) ?? {},
				ahead: (this.day - this.early) * DAY,
			},
		);
		if (settings === REGULAR_OUTPUT) expect(error).toBeUndefined();
		if (!isKilled) this.staticData.set(name, staticData);
		return {
			main: outputs.Gateway?.[0] ?? [],
			hints: (hints.Gateway ?? []).map(({ message }) => message),
			error,
		};
	}
}

describeEachLine('night after night', (engine) => {
	skipPauses(engine);
	const start = withGateways();
	const nightsOf = async (phones: readonly string[], limits: object = {}) => {
		const gateway = await start({ seed: kindsSeed });
		const sheet = phones.map((phone): SheetRow => ({ phone }));
		return new Nights(engine(), gateway, sheet, limits);
	};

	test('whoever leaves is said to have left, and never added', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		nights.asked(ANA);
		for (let night = 0; night < 5; night++) {
			const { outcomes, main } = await nights.night();
			expect([outcomes[ANA], outcomes[BO]]).toEqual(['left', 'unchanged']);
			expect(main.flatMap(({ json }) => (json.isNew === true ? json.participant : []))).toEqual(
				night === 0 ? [ANA] : [],
			);
		}
		expect(nights.asked(ANA)).toBe(0);
	});

	test('who is not added by a run that n8n kills waits all the same, and others have their turn', async () => {
		const nights = await nightsOf([INVITE_ONLY, ANA, BO], { maxAdditions: 1 });
		expect((await nights.night({ isKilled: true })).outcomes[INVITE_ONLY]).toBe('inviteRequired');
		expect((await nights.night({ isKilled: true })).outcomes).toMatchObject({
			[INVITE_ONLY]: 'postponed refusedLately',
			[ANA]: 'done',
		});
	});

	test('half a list removes people for a night, who are added again; with a day of grace nobody', async () => {
		for (const [removeAfter, during, after] of [
			[0, 'done', 'done'],
			[1, 'postponed removeAfter', 'unchanged'],
		] as const) {
			const nights = await nightsOf(PEOPLE, { removeAfter });
			await nights.night();
			const half = await nights.night({ rows: nights.sheet.slice(1) });
			expect(half.outcomes[ANA]).toBe(during);
			expect((await nights.night()).outcomes[ANA]).toBe(after);
		}
	});

	test('who has no row for two nights goes with a day of grace', async () => {
		const nights = await nightsOf(PEOPLE, { removeAfter: 1 });
		await nights.night();
		nights.sheet.shift();
		expect((await nights.night()).outcomes[ANA]).toBe('postponed removeAfter');
		expect((await nights.night()).outcomes[ANA]).toBe('done');
	});

	test('who has no row has the days of grace anew after leaving and coming back', async () => {
		const nights = await nightsOf(PEOPLE, { removeAfter: 3 });
		await nights.night();
		nights.sheet.shift();
		expect((await nights.night()).outcomes[ANA]).toBe('postponed removeAfter');
		nights.leaves(ANA);
		for (let night = 0; night < 3; night++) expect((await nights.night()).outcomes[ANA]).toBeUndefined();
		nights.gateway.network.join('keeper', GROUP, ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('postponed removeAfter');
	});

	test('a night with a row that is not valid does not prolong the days of grace', async () => {
		const nights = await nightsOf(PEOPLE, { removeAfter: 2 });
		await nights.night();
		nights.sheet.shift();
		expect((await nights.night()).outcomes[ANA]).toBe('postponed removeAfter');
		expect((await nights.night({ rows: [...nights.sheet, { phone: '?' }] })).outcomes[ANA]).toBe(
			'kept badRow',
		);
		expect((await nights.night()).outcomes[ANA]).toBe('done');
	});

	test('who left and had no row for months is added when they pay again', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('left');
		const [ana] = nights.sheet.splice(0, 1);
		for (let week = 0; week < 14; week++) {
			nights.day += 6;
			await nights.night();
		}
		nights.sheet.push(...(ana ? [ana] : []));
		expect((await nights.night()).outcomes[ANA]).toBe('done');
	});

	test('a manual run of some rows at noon hides nobody who leaves in the afternoon', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		await nights.night({ rows: nights.sheet.slice(3), mode: 'manual', unlisted: 'keep' });
		nights.leaves(ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('left');
	});

	test('whom another workflow takes out is added while the list wants them, and the group has an error item', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		await nights.webhook('remove', ANA);
		const { outcomes, hints } = await nights.night();
		expect(outcomes[ANA]).toBe('done');
		expect(hints.join()).toContain(
			`1 person whom this list wants isn't wanted by another node or workflow (${ANA}). They were added again`,
		);
	});

	test('a second try, which finds them added, does not make such a night green', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		await nights.webhook('remove', ANA);
		const settings = {
			onError: 'stopWorkflow',
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 0,
		} as const;
		const { error } = await nights.night({ settings });
		expect(error?.message).toContain("1 person whom this list wants isn't wanted by another");
		expect((await nights.night({ settings })).error).toBeUndefined();
	});

	test('two Syncs that contradict each other are told of each other, but not of whom they never met', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night({ rows: nights.sheet.slice(0, -1) });
		await nights.night({ rows: nights.sheet.slice(2), node: 'Other' });
		const { outcomes, hints } = await nights.night();
		expect([outcomes[ANA], outcomes[BO]]).toEqual(['done', 'done']);
		expect(hints.join()).toContain('2 people whom this list wants');
		await nights.night({ rows: nights.sheet.slice(0, 1), node: 'New', unlisted: 'keep' });
		await nights.night({ rows: nights.sheet.slice(0, 2), node: 'Third' });
		const late = await nights.night({ rows: nights.sheet.slice(0, 4), node: 'New', unlisted: 'keep' });
		expect(late.outcomes[nights.sheet[2]?.phone ?? '']).toBe('done');
		expect(late.hints.join()).not.toContain('wanted by another');
	});

	test('who leaves a group that is synced every 5 minutes has left within 15, whatever else meets them', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		const seen: unknown[] = [];
		for (let run = 1; run <= 3; run++) {
			nights.early = run - (run * 5) / (24 * 60);
			seen.push((await nights.night()).outcomes[ANA]);
		}
		expect(seen).toEqual(['unconfirmed', expect.anything(), 'left']);
	});

	test('whom a workflow wanted out who had left before is taken out by nobody', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		await nights.webhook('remove', ANA);
		const { outcomes, hints } = await nights.night();
		expect(outcomes[ANA]).toBe('done');
		expect(hints.join()).not.toContain('wanted by another');
	});

	test('somebody who leaves and is taken out and added by webhooks is a member like others', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('left');
		await nights.webhook('add', ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('unchanged');
		nights.leaves(ANA);
		expect((await nights.night()).outcomes[ANA]).toBe('left');
	});

	test('a group that says that it is full is asked again in the next run, by one person, until there is room', async () => {
		const seed = structuredClone(kindsSeed);
		for (const { groups } of seed.instances)
			for (const group of groups ?? []) if (group.jid === GROUP) group.maxMembers = 8;
		const gateway = await start({ seed });
		const nights = new Nights(
			engine(),
			gateway,
			PEOPLE.map((phone) => ({ phone })),
		);
		await nights.night({ unlisted: 'keep' });
		for (const one of PEOPLE) nights.asked(one);
		const { outcomes } = await nights.night({ unlisted: 'keep' });
		const left = PEOPLE.filter((one) => outcomes[one] !== 'unchanged');
		expect(
			left
				.map((one) => outcomes[one])
				.sort()
				.slice(0, 2),
		).toEqual(['groupFull', 'postponed groupFull']);
		expect(
			left
				.map((one) => nights.asked(one))
				.sort()
				.slice(-2),
		).toEqual([0, 1]);
	});

	test('whoever is refused because of the account goes last the next night, an hour earlier, too', async () => {
		const seed = structuredClone(kindsSeed);
		seed.people[INVITE_ONLY] = '463';
		const sheet = [INVITE_ONLY, ANA, BO].map((phone) => ({ phone }));
		const nights = new Nights(engine(), await start({ seed }), sheet, { maxAdditions: 1 });
		const first = await nights.night({ unlisted: 'keep' });
		expect(first.outcomes).toMatchObject({ [INVITE_ONLY]: 'postponed', [ANA]: 'postponed maxAdditions' });
		const said = 'The messaging network has restricted this account. Nobody is added or invited until ';
		expect(first.hints).toContainEqual(expect.stringContaining(said));
		nights.early = 0.05;
		const { outcomes } = await nights.night({ unlisted: 'keep' });
		expect(outcomes).toMatchObject({ [INVITE_ONLY]: 'postponed maxAdditions', [ANA]: 'done' });
	});

	test('a refused person is asked each week', async () => {
		const nights = await nightsOf([INVITE_ONLY, ANA]);
		const asked: number[] = [];
		for (let week = 0; week <= 3; week++) {
			await nights.night();
			if (nights.asked(INVITE_ONLY) > 0) asked.push(week);
			nights.day += 6;
		}
		expect(asked).toEqual([0, 1, 2, 3]);
	});

	test('who left gets no message, until an addition is refused', async () => {
		const nights = await nightsOf([ANA, BO]);
		nights.gateway.network.join('keeper', GROUP, INVITE_ONLY);
		nights.sheet.push({ phone: INVITE_ONLY });
		await nights.night();
		nights.leaves(INVITE_ONLY);
		expect((await nights.night()).outcomes[INVITE_ONLY]).toBe('left');
		expect(await nights.invite([INVITE_ONLY])).toEqual(['left']);
		await nights.webhook('add', INVITE_ONLY);
		expect(await nights.invite([INVITE_ONLY])).toEqual(['sent']);
	});

	test('who comes back after months is invited anew', async () => {
		const nights = await nightsOf([INVITE_ONLY, ANA]);
		expect(await nights.invite([INVITE_ONLY])).toEqual(['sent']);
		for (const days of [50, 98, 101]) {
			nights.day += days;
			expect(await nights.invite([INVITE_ONLY])).toEqual([days === 101 ? 'sent' : 'alreadyInvited']);
		}
	});

	const NOBODY = /^This node remembers nobody of this group\. If it ran before, in a copy or an import, /;

	test('a copy of the node says that it would add whoever left, a dry run, too', async () => {
		const nights = await nightsOf(PEOPLE);
		const says = async (how: Parameters<Nights['night']>[0]) =>
			(await nights.night(how)).hints.some((hint) => NOBODY.test(hint));
		expect([await says({}), await says({})]).toEqual([true, false]);
		for (const phone of PEOPLE.slice(0, 3)) nights.leaves(phone);
		expect(await says({ node: 'Copy', dryRun: true })).toBe(false);
		nights.leaves(PEOPLE[3] ?? '');
		expect(await says({ node: 'Copy', dryRun: true })).toBe(true);
		expect((await nights.night()).outcomes[ANA]).toBe('left');
	});

	test('whoever has to leave is remembered from the first run on, unless n8n keeps no memory', async () => {
		const nights = await nightsOf(PEOPLE, { removeAfter: 1 });
		const first = 'Whoever has to leave is remembered from this run on';
		expect((await nights.night()).hints).toContain(first);
		expect((await nights.night()).hints).not.toContain(first);
		const gateway = await start({ seed: kindsSeed });
		const limits = { removeAfter: 1 };
		const parameters = syncParameters({ group: GROUP, unlisted: 'remove', dryRun: false, limits });
		const ran = await runBehindTrigger(engine(), gateway, parameters, [{ phone: ANA }]);
		expect(JSON.stringify(ran.hints)).toMatch(
			/n8n keeps no memory here, so nobody will be removed: put this node into a /,
		);
		expect(JSON.stringify(ran.hints)).not.toContain(first);
	});

	test('nobody gets a second message while they never join, and one for each wish', async () => {
		const nights = await nightsOf([INVITE_ONLY, ANA]);
		await nights.night();
		expect(await nights.invite([INVITE_ONLY])).toEqual(['sent']);
		nights.day += 40;
		await nights.night();
		expect(await nights.invite([INVITE_ONLY])).toEqual(['alreadyInvited']);
		nights.gateway.network.join('keeper', GROUP, INVITE_ONLY);
		for (let night = 0; night < 5; night++) {
			await nights.night();
			expect(await nights.invite([INVITE_ONLY])).toEqual(['unchanged']);
		}
		expect(nights.gateway.messages).toHaveLength(1);
		for (const row of nights.sheet.slice(0, 1)) row.paid = false;
		expect((await nights.night()).outcomes[INVITE_ONLY]).toBe('done');
		nights.day += 140;
		for (const row of nights.sheet) row.paid = true;
		expect((await nights.night()).outcomes[INVITE_ONLY]).toBe('inviteRequired');
		expect(await nights.invite([INVITE_ONLY])).toEqual(['sent']);
	});

	test('a refusal after a removal by a webhook that n8n canceled is no leaving', async () => {
		const nights = await nightsOf(PEOPLE);
		nights.gateway.network.join('keeper', GROUP, INVITE_ONLY);
		nights.sheet.push({ phone: INVITE_ONLY });
		await nights.night();
		await nights.webhook('remove', INVITE_ONLY);
		await nights.webhook('add', INVITE_ONLY);
		expect((await nights.night()).outcomes[INVITE_ONLY]).toBe('postponed refusedLately');
	});

	test('nobody who left is added after a night on which nobody was wanted', async () => {
		const nights = await nightsOf(PEOPLE, { removeAfter: 7 });
		await nights.night();
		nights.leaves(ANA);
		await nights.night();
		for (const row of nights.sheet) row.paid = false;
		await nights.night({ unlisted: 'keep' });
		for (const row of nights.sheet) row.paid = true;
		const { outcomes } = await nights.night();
		expect([outcomes[ANA], outcomes[BO]]).toEqual(['left', 'unchanged']);
	});

	test('many who went in the holidays did not leave: they are added, first with a hint, and those left before stay out', async () => {
		const nights = await nightsOf(PEOPLE, { maxRemovalPercent: 20 });
		await nights.night({ unlisted: 'keep' });
		nights.leaves(ANA);
		expect((await nights.night({ unlisted: 'keep' })).outcomes[ANA]).toBe('left');
		nights.day += 40;
		for (const phone of PEOPLE.slice(1, 5)) nights.leaves(phone);
		const { outcomes, hints } = await nights.night({ unlisted: 'keep' });
		expect(PEOPLE.slice(0, 6).map((phone) => outcomes[phone])).toEqual([
			'left',
			...Array(4).fill('done'),
			'unchanged',
		]);
		const lost =
			"4 of 10 people of the list were members in the run before and aren't any more: they are added again";
		expect(hints).toContain(lost);
		nights.leaves(BO);
		expect((await nights.night({ unlisted: 'keep' })).outcomes[BO]).toBe('left');
	});

	test('a node that was cut and pasted knows who left, and a copy of it does not', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night();
		nights.leaves(ANA);
		await nights.night();
		nights.id = 'pasted';
		expect((await nights.night()).outcomes[ANA]).toBe('left');
		const places = Object.keys(Object(nights.staticData.get('Sync')).global);
		expect(places).toContain('messagingGateway pasted');
		expect(places).not.toContain('messagingGateway Gateway');
	});

	test.each(['first', 'last'])('two runs at once lose nothing, whichever n8n keeps: the %s', async (kept) => {
		const nights = await nightsOf(PEOPLE);
		await nights.night({ unlisted: 'keep' });
		const before = structuredClone(nights.staticData.get('Sync') ?? {});
		nights.leaves(ANA);
		await nights.night({ rows: nights.sheet.slice(0, 5), unlisted: 'keep' });
		const first = nights.staticData.get('Sync') ?? {};
		nights.staticData.set('Sync', before);
		nights.leaves(PEOPLE[9] ?? '');
		nights.day -= 1;
		await nights.night({ rows: nights.sheet.slice(5), unlisted: 'keep' });
		if (kept === 'first') nights.staticData.set('Sync', first);
		const { outcomes } = await nights.night({ unlisted: 'keep' });
		expect([outcomes[ANA], outcomes[PEOPLE[9] ?? '']]).toEqual(['left', 'left']);
	});

	test('a part of a weekly list makes nobody absent, and neither do a slip of a row and calls for one row', async () => {
		const nights = await nightsOf(PEOPLE);
		const week = async (rows?: SheetRow[], days = 6) => {
			nights.day += days;
			return await nights.night({ ...(rows && { rows }), unlisted: 'keep' });
		};
		await week();
		await week();
		nights.leaves(ANA);
		await week(nights.sheet.slice(-THIRD), 2);
		expect((await week(undefined, 3)).outcomes[ANA]).toBe('left');
		await week(nights.sheet.slice(1));
		expect((await week()).outcomes[ANA]).toBe('left');
		for (const row of nights.sheet) {
			const { outcomes } = await nights.night({ rows: [row], unlisted: 'keep' });
			nights.day -= 0.999;
			expect(outcomes[row.phone]).toBe(row.phone === ANA ? 'left' : 'unchanged');
		}
	});

	test('whose row was missing twice is wanted anew', async () => {
		const nights = await nightsOf(PEOPLE);
		await nights.night({ unlisted: 'keep' });
		nights.leaves(ANA);
		for (const [missing, expected] of [
			[1, 'left'],
			[2, 'done'],
		] as const) {
			for (let night = 0; night < missing; night++)
				await nights.night({ rows: nights.sheet.slice(1), unlisted: 'keep' });
			expect((await nights.night({ unlisted: 'keep' })).outcomes[ANA]).toBe(expected);
		}
	});
});
