import type { Gateway } from '../../test/gateway/gateway';
import { startGate, type Gate } from '../support/gate';
import { Play } from '../support/play';
import type { Rest } from '../support/rest';
import { FORGETFUL, STORIES, storiesSeed, type Story } from '../support/stories';
import { underTest, withServer } from '../support/under-test';
import { startWorker, takenBy } from '../support/workers';

const NIGHTS = 6;

/** What becomes of n8n before a night, given the first story's play. */
type Incidents = Record<number, (play: Play) => Promise<void>>;

/** Plays the stories side by side, night by night. Gives all runs that were not lost. */
async function playNights(
	gateway: Gateway,
	rest: () => Rest,
	stories: Story[],
	incidents: Incidents,
): Promise<string[]> {
	const plays: Play[] = [];
	for (const story of stories) plays.push(await Play.begin({ gateway, gate, line }, rest(), story));
	for (let night = 0; night < NIGHTS; night++) {
		for (const play of plays) await play.day(rest(), night);
		if (plays[0]) await incidents[night]?.(plays[0]);
		for (const play of plays) await play.night(rest(), night);
	}
	return plays.flatMap(({ runs }) => runs);
}

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(1_800_000);
const { line } = underTest();
const tables = line.number === 1 ? 'in tables made by hand, as n8n 1.x needs them,' : 'in its tables';
let gate: Gate;
beforeAll(async () => (gate = await startGate()));
afterAll(async () => await gate.close());

describe('in one process', () => {
	const setting = withServer({ seed: storiesSeed });

	test(`rows ${tables} say what is so after each of five scheduled runs, over a crash and a restart, and after one that is lost`, async () => {
		const { restart, gateway } = setting();
		const rest = () => setting().server.rest;
		await playNights(gateway, rest, [...STORIES, ...FORGETFUL], {
			2: async () => await restart('kill'),
			4: async () => await restart('stop'),
			5: async (play) => await play.lose(rest, async () => await restart('kill')),
		});
	});
});

describe('in queue mode', () => {
	const setting = withServer({ seed: storiesSeed }, { mode: 'queue' });

	/** Kills the worker that had a run, and starts another one. */
	async function replaceWorker(run: string): Promise<void> {
		const { site, workers } = setting();
		await workers.find((worker) => takenBy(worker).includes(run))?.kill();
		workers.push(await startWorker(site));
	}

	test(`rows ${tables} say what is so after each of five scheduled runs on two workers, over the loss of one and a restart of main, and after one that is lost`, async () => {
		const { restart, gateway, workers } = setting();
		const rest = () => setting().server.rest;
		const runs = await playNights(gateway, rest, STORIES, {
			2: async (play) => await replaceWorker(play.runs.at(-1) ?? ''),
			4: async () => await restart('stop'),
			5: async (play) => await play.lose(rest, replaceWorker),
		});
		const taken = workers.flatMap(takenBy);
		expect(runs.filter((id) => !taken.includes(id))).toEqual([]);
	});
});
