import { installFolder } from '../install';
import { LINE_FOLDERS } from './line';

/** Before the first engine test: installs n8n's 1.x engine, unless it is there. The 2.x one comes with `npm ci`. */
export default function install(): void {
	installFolder(LINE_FOLDERS[1]);
}
