/** Writes how long the phone numbers of each country are: `npm run phone-lengths`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { takePhoneLengths } from './lengths';

const FILE = join(__dirname, '../../nodes/MessagingGateway/input/phoneLengths.ts');

async function main(): Promise<void> {
	const rows = Object.entries(takePhoneLengths()).map(
		([code, lengths]) => `${code}: ${JSON.stringify(lengths)},`,
	);
	const source = `// Written by \`npm run phone-lengths\`, from libphonenumber-js.

/** How many digits the phone numbers of a country have, without its country code. */
export interface PhoneLengths {
	readonly mobile: readonly number[];
	/** Mobile and landline. */
	readonly all: readonly number[];
	/** Some of them begin with a 0 that is dialed from abroad too, as in Italy. */
	readonly keepsZero?: true;
}

/** By country code as it is dialed. */
export const PHONE_LENGTHS: Readonly<Record<string, PhoneLengths>> = {
${rows.join('\n')}
};
`;
	writeFileSync(FILE, await format(source, { ...(await resolveConfig(FILE)), filepath: FILE }));
	process.stdout.write(`${rows.length} country codes\n`);
}

void main();
