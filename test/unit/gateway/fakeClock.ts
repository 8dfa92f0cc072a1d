import type { Clock } from '../../../nodes/MessagingGateway/common/time';

/** A clock that stands still until it's advanced. */
export class FakeClock implements Clock {
	private time = 0;

	private readonly timers: Array<{ at: number; wake: () => void }> = [];

	/** The time of day is `shift` ms ahead. */
	shift = 0;

	readonly elapsed = () => this.time;

	readonly now = () => Date.UTC(2026, 10, 24, 8) + this.time + this.shift;

	readonly sleep = async (ms: number) =>
		await new Promise<void>((wake) => this.timers.push({ at: this.time + ms, wake }));

	/** Goes on by so many ms, and lets each timer have its time. */
	async advance(ms: number): Promise<void> {
		const end = this.time + ms;
		for (;;) {
			await new Promise((resolve) => setImmediate(resolve));
			this.timers.sort((one, other) => one.at - other.at);
			const [next] = this.timers;
			if (next === undefined || next.at > end) break;
			this.timers.shift();
			this.time = next.at;
			next.wake();
		}
		this.time = end;
	}
}
