// Imported first by tests that play nights: all clocks are the world's, and a pause moves it on.
import { clock } from './clock';

Date.now = () => clock.now;
performance.now = () => clock.now;

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		clock.now += ms;
		await Promise.resolve();
	},
}));
