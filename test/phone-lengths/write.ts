/** Writes how long the phone numbers of each country are: `npm run phone-lengths`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { groupBy } from '../../nodes/MessagingGateway/common/maps';
import { takePhoneLengths } from './lengths';

const FILE = join(__dirname, '../../nodes/MessagingGateway/groups/phoneLengths.json');

async function main(): Promise<void> {
	const known = Object.entries(takePhoneLengths());
	const lengths = Object.fromEntries(known.map(([code, ofCode]) => [code, textOf(ofCode)]));
	const options = { ...(await resolveConfig(FILE)), filepath: FILE };
	writeFileSync(FILE, await format(JSON.stringify(lengths), options));
	process.stdout.write(`${Object.keys(lengths).length} country codes\n`);
}

/** Writes lengths as the node reads them, e.g. `IT 6-12 9:3 10:34 keepsZero`. */
function textOf({
	country = '-',
	mobile,
	all,
	keepsZero,
}: ReturnType<typeof takePhoneLengths>[string]): string {
	const byDigits = groupBy(Object.entries(mobile), ([, digits]) => digits);
	const mobiles = [...byDigits].map(
		([digits, some]) => `${rangesOf(some.map(([length]) => Number(length)))}:${digits}`,
	);
	return [country, rangesOf(all), ...mobiles, ...(keepsZero ? ['keepsZero'] : [])].join(' ');
}

/** Writes ascending lengths, e.g. `6-8,10`. */
function rangesOf(lengths: readonly number[]): string {
	const firsts = lengths.filter((length) => !lengths.includes(length - 1));
	const lasts = lengths.filter((length) => !lengths.includes(length + 1));
	return firsts.map((first, i) => (first === lasts[i] ? `${first}` : `${first}-${lasts[i]}`)).join(',');
}

void main();
