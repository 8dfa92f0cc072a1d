import { startGate, type Gate } from '../support/gate';
import { Play } from '../support/play';
import { STORIES, storiesSeed } from '../support/stories';
import { underTest, withServer } from '../support/under-test';

const NIGHTS = 6;
const DAY = 86_400_000;

// Each start of n8n may take minutes on a busy machine.
jest.setTimeout(1_800_000);
const { line } = underTest();
const tables = line.number === 1 ? 'made by hand, as n8n 1.x needs them,' : 'of n8n';
let gate: Gate;
beforeAll(async () => (gate = await startGate()));
afterAll(async () => await gate.close());
const setting = withServer({ seed: storiesSeed });

test(`the examples with tables ${tables} say what is so after each of six scheduled runs, over a crash and a restart, and after one that is lost`, async () => {
	const { gateway, restart, later } = setting();
	const rest = () => setting().server.rest;
	const plays: Play[] = [];
	for (const story of STORIES) plays.push(await Play.begin({ gateway, gate, line }, rest(), story));
	for (let night = 0; night < NIGHTS; night++) {
		if (night > 0) await later(DAY / 2);
		for (const play of plays) await play.day(rest(), night);
		if (night > 0) await later(DAY / 2);
		if (night === 2) await restart('kill');
		if (night === 4) await restart('stop');
		if (night === 5) await plays[0]?.lose(rest, async () => await restart('kill'));
		for (const play of plays) await play.night(rest(), night);
	}
});
