/** Keeps what this process writes to its console from now on; the function gives it, line by line, and forgets it. */
export function captureLogs(): () => string[] {
	let text = '';
	const keep = (chunk: Uint8Array | string) => {
		text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
		return true;
	};
	// n8n's logger writes to these streams, not through `console`. A crash of Node itself still shows.
	process.stdout.write = keep;
	process.stderr.write = keep;
	return () => {
		const lines = text.split('\n').filter((line) => line !== '');
		text = '';
		return lines;
	};
}
