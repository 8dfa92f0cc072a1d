// Imported first by tests in which a pause of the node takes no time: its clock moves on by that much.
let ahead = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + ahead;

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => {
		ahead += ms;
		await new Promise((resolve) => setImmediate(resolve));
	},
}));
