import { startGateway, type Gateway } from '../../test/gateway/gateway';
import type { Child } from '../support/children';
import { startGate, type Gate } from '../support/gate';
import { Play } from '../support/play';
import type { Rest } from '../support/rest';
import { startServices, type Services } from '../support/services';
import { Site, type Server } from '../support/site';
import { STORIES } from '../support/stories';
import { underTest, withServer } from '../support/under-test';
import { REPORT_LOST_WORKERS, startWorker, takenBy } from '../support/workers';

const NIGHTS = 6;

/** What becomes of n8n before a night, given the first story's play. */
type Incidents = Record<number, (play: Play) => Promise<void>>;

/** Plays the stories side by side, night by night. Gives all runs that were not lost. */
async function playNights(gateway: Gateway, rest: () => Rest, incidents: Incidents): Promise<string[]> {
	const plays: Play[] = [];
	for (const story of STORIES) plays.push(await Play.begin({ gateway, gate, line }, rest(), story));
	for (let night = 0; night < NIGHTS; night++) {
		for (const play of plays) await play.day(rest(), night);
		if (plays[0]) await incidents[night]?.(plays[0]);
		for (const play of plays) await play.night(rest(), night);
	}
	return plays.flatMap(({ runs }) => runs);
}

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(1_800_000);
const { line, packedNode } = underTest();
const tables = line.number === 1 ? 'in tables made by hand, as n8n 1.x needs them,' : 'in its tables';
let gate: Gate;
beforeAll(async () => (gate = await startGate()));
afterAll(async () => await gate.close());

describe('in one process', () => {
	const setting = withServer();

	test(`rows ${tables} say what is so after each of five scheduled runs, over a crash and a restart, and after one that is lost`, async () => {
		const { restart, gateway } = setting();
		const rest = () => setting().server.rest;
		await playNights(gateway, rest, {
			2: async () => await restart('kill'),
			4: async () => await restart('stop'),
			5: async (play) => await play.lose(rest, async () => await restart('kill')),
		});
	});
});

describe('in queue mode', () => {
	let gateway: Gateway;
	let services: Services;
	let site: Site;
	let server: Server;
	let workers: Child[];

	beforeAll(async () => {
		gateway = await startGateway();
		services = await startServices();
		site = await Site.create(line, packedNode, { ...services.env, ...REPORT_LOST_WORKERS });
		await site.seed(gateway);
		server = await site.start();
		workers = [await startWorker(site), await startWorker(site)];
	});
	afterAll(async () => {
		await site?.remove();
		await services?.stop();
		await gateway?.close();
	});

	/** Kills the worker that had a run, and starts another one. */
	async function replaceWorker(run: string): Promise<void> {
		await workers.find((worker) => takenBy(worker).includes(run))?.kill();
		workers.push(await startWorker(site));
	}

	test(`rows ${tables} say what is so after each of five scheduled runs on two workers, over the loss of one and a restart of main, and after one that is lost`, async () => {
		const rest = () => server.rest;
		const runs = await playNights(gateway, rest, {
			2: async (play) => await replaceWorker(play.runs.at(-1) ?? ''),
			4: async () => {
				await server.process.stop();
				server = await site.start();
			},
			5: async (play) => await play.lose(rest, replaceWorker),
		});
		const taken = workers.flatMap(takenBy);
		expect(runs.filter((id) => !taken.includes(id))).toEqual([]);
	});
});
