/** Writes how long the phone numbers of each country are: `npm run phone-lengths`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { takePhoneLengths } from './lengths';

const FILE = join(__dirname, '../../nodes/MessagingGateway/groups/phoneLengths.json');

async function main(): Promise<void> {
	const lengths = takePhoneLengths();
	const options = { ...(await resolveConfig(FILE)), filepath: FILE };
	writeFileSync(FILE, await format(JSON.stringify(lengths), options));
	process.stdout.write(`${Object.keys(lengths).length} country codes\n`);
}

void main();
