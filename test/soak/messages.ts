/** The first number that a text has in a place; 0 where it has none there. */
export function numberIn(text: string, place: RegExp): number {
	return Number(place.exec(text)?.[1] ?? 0);
}

/**
 * Reads the numbers of an error's message: the requests that succeeded, of how many and with how many participants; the
 * participants of an item who were applied, of how many, and who were rejected; of whom nothing is known.
 */
export function countsIn(message: string) {
	const others = numberIn(message, /\(and (\d+) other participants?\) could/);
	return {
		requests: numberIn(message, /(\d+) of \d+ requests?/),
		ofRequests: numberIn(message, /\d+ of (\d+) requests?/) || undefined,
		inRequests: numberIn(
			message,
			/requests? succeeded before this \((?:at most )?(\d+) participants? changed\)/,
		),
		applied: numberIn(message, /(\d+) of the \d+ participants of this item were applied/),
		ofItem: numberIn(message, /of the (\d+) participants of this item/) || undefined,
		rejected: /could(n't| not) be changed/.test(message) ? 1 + others : 0,
		unknown: numberIn(message, /not known what became of (\d+) participant/),
	};
}
