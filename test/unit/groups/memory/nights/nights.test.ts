import './playedTime';
import { World } from './world';

const CALM = {
	holidays: false,
	mistake: false,
	overlap: false,
	restart: false,
	paste: false,
	missing: false,
	page: false,
	lost: false,
	silence: false,
};

describe('a world without accidents', () => {
	it('does no harm in a hundred nights', async () => {
		const harms = await new World(1, 'column', 'regular', CALM).play(100);
		expect(harms).toMatchObject({
			payersRemoved: 0,
			keptOut: 0,
			leaversAdded: 0,
			secondMessages: 0,
			askedAgain: 0,
		});
		expect(harms.changes).toBeGreaterThan(10);
	});
});
