/** The files of the house, and its sizes. As a program it prints them, to be looked at before each version: `npm run house`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '..');

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function filesIn(folder: string, ending: RegExp): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => ending.test(file) && !/node_modules|recordings|fixtures/.test(dirname(file)))
		.map((file) => `${folder}/${file}`);
}

/** Of the product, by name. */
export const sources = ['credentials', 'nodes'].flatMap((top) => filesIn(top, /\.ts$/));

const linesOf = (text: string): number => text.split('\n').length - 1;
const wordsOf = (file: string): number => textOf(file).split(/\s+/).length;
const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Counts lines without comments, imports and blanks. */
function codeIn(text: string): number {
	const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^import [\s\S]*?;$/gm, '');
	return code.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line)).length;
}

function sizes(): Record<string, number | string> {
	const texts = sources.map(textOf);
	const lines = sum(texts.map(linesOf));
	const inFolder = (folder: string) =>
		sum(
			filesIn(folder, /\.(?:ts|js|mjs)$/)
				.map(textOf)
				.map(linesOf),
		);
	const [longest = ''] = [...sources].sort((a, b) => linesOf(textOf(b)) - linesOf(textOf(a)));
	const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesIn('docs', /\.md$/)];
	return {
		'Lines of the product': lines,
		'Lines of code, without comments, imports and blanks': sum(texts.map(codeIn)),
		Files: sources.length,
		'Named types': [...texts.join('\n').matchAll(/^\s*(?:export )?(?:interface|type) \w+[ <]/gm)].length,
		'The longest file': `${linesOf(textOf(longest))} (${longest})`,
		'Lines of tests for each line of the product': (inFolder('test') / lines).toFixed(2),
		'Lines of the benchmark': inFolder('bench'),
		'Words of the README': wordsOf('README.md'),
		'Words of all documents': sum(documents.map(wordsOf)),
	};
}

if (require.main === module)
	for (const [what, amount] of Object.entries(sizes())) process.stdout.write(`${what}: ${amount}\n`);
