import './playedTime';
import { thorough } from '../../../../thorough';
import { KINDS, World, type Accidents, type Harms, type Kind, type Mode } from './world';

const NIGHTS = thorough ? 730 : 60;

const NONE: Accidents = Object.fromEntries(
	['holidays', 'mistake', 'overlap', 'restart', 'paste', 'missing', 'page', 'lost', 'silence'].map((one) => [
		one,
		0,
	]),
);
const played = async (kind: Kind, mode: Mode, accidents: Accidents = {}): Promise<Harms> =>
	await new World(1 + 100 * KINDS.indexOf(kind), kind, mode, accidents).play(NIGHTS);

describe('nights', () => {
	it.each(['column', 'remove', 'noon', 'weekly', 'monthly', 'rounds'] as const)(
		'without accidents do no harm, with a list that comes so: %s',
		async (kind) => {
			const { changes, keptOut, leaversAdded, secondMessages, askedAgain } = await played(
				kind,
				'regular',
				NONE,
			);
			expect([keptOut, leaversAdded, secondMessages, askedAgain]).toEqual([0, 0, 0, 0]);
			expect(changes).toBeGreaterThan(0);
		},
	);

	it.each([
		['regular', {}],
		['sub-workflow', {}],
		['workers', { leaversAdded: 2000, secondMessages: 40, askedAgain: 200 }],
	] as const)('with every accident do little: %s', async (mode, more) => {
		const most: Partial<Harms> = {
			keptOut: 4,
			keptOutForGood: 2,
			leaversAdded: 10,
			secondMessages: 1,
			askedAgain: 4,
			...more,
		};
		const harms = await played('column', mode);
		if (thorough) console.log(mode, harms);
		for (const [harm, amount] of Object.entries(most))
			expect([harm, harms[harm as keyof Harms] <= amount]).toEqual([harm, true]);
	});

	it.each<[string, Kind, Accidents]>([
		["a mistake of an admin's, and holidays", 'remove', { mistake: 1 / 20, holidays: 1 / 30 }],
		["a mistake of an admin's, with one row in each round of a loop", 'rounds', { mistake: 1 / 20 }],
		['runs at once, of which n8n keeps one, and restarts', 'column', { overlap: 1 / 3, restart: 1 / 5 }],
		['a node that is cut and pasted', 'column', { paste: 1 / 5, restart: 1 / 5 }],
	])('keep nobody out and add nobody again after %s', async (_, kind, accidents) => {
		const { keptOut, leaversAdded } = await played(kind, 'regular', { ...NONE, ...accidents });
		expect({ keptOut, leaversAdded }).toEqual({ keptOut: 0, leaversAdded: 0 });
	});
});
