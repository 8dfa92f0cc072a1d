/** The clock of each test stands still until it's advanced. */
export function useFakeClock(): void {
	beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 10, 24, 8) }));
	afterEach(() => jest.useRealTimers());
}

export const clock = {
	elapsed: () => performance.now(),
	now: () => Date.now(),
	sleep: async (ms: number) => await new Promise((wake) => setTimeout(wake, ms)),
	/** Goes on by so many ms, and lets each timer have its time. */
	advance: async (ms: number) => await jest.advanceTimersByTimeAsync(ms),
};
