/** For a gateway's `hold`: lets some calls through, and keeps those after them until so many of them are there. */
export function untilThereAre(amount: number, { after = 0 } = {}): () => Promise<void> {
	let arrived = 0;
	let release = (): void => undefined;
	const all = new Promise<void>((resolve) => (release = resolve));
	return async () => {
		arrived += 1;
		if (arrived >= after + amount) release();
		if (arrived > after) await all;
	};
}
