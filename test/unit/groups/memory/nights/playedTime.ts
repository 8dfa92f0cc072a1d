// Imported first by tests that play nights: all clocks are the world's, and a pause moves it on.
import { clock } from './clock';

// Jest's workers share Node's own clock, so it's given back.
beforeAll(() => {
	jest.spyOn(Date, 'now').mockImplementation(() => clock.now);
	jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
});
afterAll(() => jest.restoreAllMocks());

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		// A clock of so many digits has no room for parts of a millisecond: a pause would never end.
		clock.now += Math.ceil(ms);
		await Promise.resolve();
	},
}));
