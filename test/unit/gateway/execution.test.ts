import { Executions } from '../../../nodes/MessagingGateway/gateway/execution';

describe('an execution', () => {
	afterEach(() => jest.restoreAllMocks());

	it('begins once for all of its nodes', () => {
		const executions = new Executions();
		const { signal } = new AbortController();
		const startOf = (id: string, node: string, now: number) => {
			jest.spyOn(Date, 'now').mockReturnValue(now);
			return executions.find({ id, node, signal: id === '1' ? signal : undefined, runIndex: 0 }).startedAt;
		};

		expect(startOf('1', 'Sync', 1000)).toBe(1000);
		expect(startOf('1', 'Sync of the guests', 2000)).toBe(1000);
		expect(startOf('2', 'Sync', 3000)).toBe(3000);
	});
});
