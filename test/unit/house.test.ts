import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { groupBy } from '../../nodes/MessagingGateway/common/maps';
import { ROOT, sources, textOf } from '../house';

/** The paths in the tree of CONTRIBUTING.md, by how far each line is indented. */
function pathsInTree(): string[] {
	const [, tree = ''] = /```\n(credentials\/[\s\S]*?)```/.exec(textOf('CONTRIBUTING.md')) ?? [];
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

/** The names that are declared at the top of several files. */
function namesInTwo(texts: ReadonlyMap<string, string>): string[] {
	const declaration = /^(?:export )?(?:async )?(?:function|const|class|interface|type) (\w+)/gm;
	const named = [...texts].flatMap(([file, text]) =>
		[...text.matchAll(declaration)].map(([, name = '']) => ({ name, file })),
	);
	const byName = groupBy(named, ({ name }) => name);
	return [...byName].filter(([, at]) => new Set(at.map(({ file }) => file)).size > 1).map(([name]) => name);
}

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

describe('the code', () => {
	const texts = new Map(sources.map((file) => [file, textOf(file)]));
	const matches = (pattern: RegExp) => [...texts.values()].flatMap((text) => text.match(pattern) ?? []);

	it.each([
		['generators', /function\s*\*|\byield\b/g],
		['any', /\bas any\b|: any\b/g],
		["n8n's execution context", /getContext\(/g],
		[
			'patterns that cut sentences',
			/\.(?:replace|startsWith|endsWith|test)\([^\n]*(?:Nothing|run this again|Check the group)/g,
		],
	])('has no %s', (_what, pattern) => {
		expect(matches(pattern)).toEqual([]);
	});

	it('seldom has one name at the top of two files', () => {
		expect(namesInTwo(texts).length).toBeLessThanOrEqual(8);
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
