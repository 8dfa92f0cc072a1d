import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groupBy } from '../../nodes/MessagingGateway/common/groupBy';

const ROOT = join(__dirname, '../..');

/** The paths in the tree of CONTRIBUTING.md, by how far each line is indented. */
function pathsInTree(): string[] {
	const [tree = ''] =
		/```\n(credentials\/[\s\S]*?)```/.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.slice(1) ??
		[];
	const parents: string[] = [];
	return tree
		.trimEnd()
		.split('\n')
		.map((line) => {
			const [, indent = '', name = ''] = /^( *)(\S+)/.exec(line) ?? [];
			const depth = indent.length / 2;
			parents.splice(depth, Infinity, name.replace(/\/$/, ''));
			return parents.join('/');
		});
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const linesOf = (text: string): number => text.split('\n').length - 1;
const wordsOf = (file: string): number => textOf(file).split(/\s+/).length;

function filesIn(folder: string, ending: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith(ending) && !/node_modules|recordings|fixtures/.test(dirname(file)))
		.map((file) => `${folder}/${file}`);
}

function sizeOf(folder: string): number {
	const files = ['.ts', '.js', '.mjs'].flatMap((ending) => filesIn(folder, ending));
	return files.map((file) => linesOf(textOf(file))).reduce((sum, lines) => sum + lines);
}

function codeIn(text: string): string[] {
	const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^import [\s\S]*?;$/gm, '');
	return code.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/\//.test(line));
}

/** The names that are declared at the top of several files. */
function namesInTwo(texts: ReadonlyMap<string, string>): string[] {
	const declaration = /^(?:export )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm;
	const named = [...texts].flatMap(([file, text]) =>
		[...text.matchAll(declaration)].map(([, name = '']) => ({ name, file })),
	);
	const byName = groupBy(named, ({ name }) => name);
	return [...byName].filter(([, at]) => new Set(at.map(({ file }) => file)).size > 1).map(([name]) => name);
}

const sources = ['credentials', 'nodes'].flatMap((top) => filesIn(top, '.ts'));

describe('the tree in CONTRIBUTING', () => {
	const named = pathsInTree();

	it('names what there is', () => {
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
	});

	it('names every folder', () => {
		const folders = new Set(sources.map((file) => dirname(file)));
		expect([...folders].filter((folder) => !named.includes(folder))).toEqual([]);
	});
});

const MOST_WORDS = 25;
const QUESTION = /^(?:What|Why|How|Who|Whom|Whose|Where|When|Of|The same)\b/;
const VERB = /^(?!This\b|Its\b)(?:[A-Z][a-z]+s|Whether)\b|^@/;
const FUNCTION =
	/^(?:export )?(?:async )?function\b|^(?:(?:private|protected|static|async|override) )*\w+(?:<.*>)?\(/;

describe('docstrings', () => {
	const docstrings = sources.flatMap((file) =>
		[...textOf(file).matchAll(/\/\*\*([\s\S]*?)\*\/\s*(.*)/g)].map(([, comment = '', nextLine = '']) => ({
			file,
			text: comment
				.replace(/^\s*\* ?/gm, ' ')
				.replace(/\{@link (\w+)\}/g, '$1')
				.trim(),
			isOfFunction: FUNCTION.test(nextLine),
		})),
	);
	const longSentences = docstrings.flatMap(({ file, text }) =>
		text
			.split(/@\w+|(?<=[.;:])\s/)
			.filter((sentence) => sentence.trim().split(/\s+/).length > MOST_WORDS)
			.map((sentence) => ({ file, text: sentence.trim() })),
	);

	it.each([
		['begin with no question word', docstrings.filter(({ text }) => QUESTION.test(text))],
		[
			'begin with a verb or with "Whether" where they describe a function',
			docstrings.filter(({ isOfFunction, text }) => isOfFunction && !VERB.test(text)),
		],
		[`have sentences of at most ${MOST_WORDS} words`, longSentences],
	])('%s', (_rule, wrong) => {
		expect(wrong.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
	});
});

describe('the size of the house', () => {
	const texts = new Map(sources.map((file) => [file, textOf(file)]));
	const all = [...texts.values()];
	const matches = (pattern: RegExp) => all.flatMap((text) => [...text.matchAll(pattern)]).length;
	const product = matches(/\n/g);
	const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesIn('docs', '.md')];

	it.each([
		['lines', 12_350, product],
		['lines without comments, imports, and blanks', 8_950, all.flatMap(codeIn).length],
		['files', 110, sources.length],
		['named types', 163, matches(/^\s*(?:export )?(?:interface|type) \w+/gm)],
		[
			'lines in a file',
			350,
			Math.max(...[...texts].map(([file, text]) => (/failureTable/.test(file) ? 0 : linesOf(text)))),
		],
		['names at the top of two files', 8, namesInTwo(texts).length],
		['generators', 0, matches(/function\s*\*|\byield\b/g)],
		['uses of any', 0, matches(/\bas any\b|: any\b/g)],
		["uses of n8n's execution context", 0, matches(/getContext\(/g)],
		[
			'sentences cut by a pattern',
			0,
			matches(/\.(?:replace|startsWith|endsWith|test)\([^\n]*(?:Nothing|run this again|Check the group)/g),
		],
		['lines of tests for each line of the product', 2.3, sizeOf('test') / product],
		['lines of the benchmark', 600, sizeOf('bench')],
		['words of the README', 1_000, wordsOf('README.md')],
		['words of all documents', 15_500, documents.map(wordsOf).reduce((sum, words) => sum + words)],
	])('%s: at most %d', (_what, most, amount) => {
		expect(amount).toBeLessThanOrEqual(most);
	});

	it('has an HTTP status only where the gateway is talked to', () => {
		const files = [...texts].filter(([, text]) => /httpCode|\bstatus(?:Code)? === '?\d{3}/.test(text));
		expect(files.map(([file]) => file).filter((file) => !/gateway\/|run\/nodeErrors/.test(file))).toEqual([]);
	});
});

describe('the rooms', () => {
	const imports = new Map(
		sources.map((file) => {
			const text = textOf(file);
			const names = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, name = '']) => name);
			return [file, names.map((name) => `${join(dirname(file), name)}.ts`)];
		}),
	);
	/** The files that a file needs, directly or not. */
	function needed(file: string, seen = new Set<string>()): Set<string> {
		for (const other of imports.get(file) ?? []) {
			if (seen.has(other)) continue;
			seen.add(other);
			needed(other, seen);
		}
		return seen;
	}

	it('are in no circle, of types neither', () => {
		expect(sources.filter((file) => needed(file).has(file))).toEqual([]);
	});

	it.each([
		['actions', /^nodes\/MessagingGateway\/listSearch|^nodes\/MessagingGatewayTrigger/],
		['../MessagingGatewayTrigger', /^nodes\/MessagingGateway\/(?:actions|listSearch)\//],
	])('have no use for others that are none of their business: %s', (room, others) => {
		const path = join('nodes/MessagingGateway', room);
		const wrong = sources
			.filter((file) => file.startsWith(`${path}/`) && !file.endsWith('.node.ts'))
			.filter((file) => imports.get(file)?.some((other) => others.test(other)));
		expect(wrong).toEqual([]);
	});

	it('keep no state but in the account, the pickers and the memory of the trigger', () => {
		const mayKeep = /gateway\/account\.ts$|\/listSearch\/|^nodes\/MessagingGatewayTrigger\/memory\.ts$/;
		const state =
			/^(?:export )?(?:let \w+|const \w+(?:: [^=\n]+)? = new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\s*\))/m;
		const kept = sources.filter((file) => state.test(textOf(file)));
		expect(kept.filter((file) => !mayKeep.test(file))).toEqual([]);
	});
});
