import { installFolder } from '../install';
import { lines } from '../thorough';
import { LINE_FOLDERS } from './line';

/** Before the first engine test: installs n8n's 1.x engine, if it is asked for. The 2.x one comes with `npm ci`. */
export default function install(): void {
	if (lines.includes(1)) installFolder(LINE_FOLDERS[1]);
}
