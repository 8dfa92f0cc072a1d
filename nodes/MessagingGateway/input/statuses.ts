import { Problem } from '../common/problem';
import { quote } from '../common/text';

/** The statuses of instances, as the editor shows them. */
export const STATUS_OPTIONS = [
	{ name: 'Closed', value: 'close', description: 'Not connected to its account' },
	{ name: 'Connecting', value: 'connecting', description: 'Waiting for the connection to its account' },
	{ name: 'Open', value: 'open', description: 'Connected to its account' },
];

/**
 * Reads the status that instances are filtered by, or its label in the editor.
 *
 * @returns `open`, `close` or `connecting`
 * @throws Problem for any other value
 */
export function readStatus(value: unknown): string {
	const text = String(value).trim().toLowerCase();
	const known = STATUS_OPTIONS.find(
		({ name, value: status }) => status === text || name.toLowerCase() === text,
	);
	if (known !== undefined) return known.value;
	throw new Problem(`The status ${quote(value)} isn't valid`, 'Use one of open, close, connecting');
}
