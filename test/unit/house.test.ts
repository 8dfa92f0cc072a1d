import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

describe('the tree in CONTRIBUTING', () => {
	const named = pathsInTree();
	const sources = ['credentials', 'nodes'].flatMap((top) =>
		readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => `${top}/${file}`),
	);

	it('names what there is', () => {
		expect(named.length).toBeGreaterThan(40);
		expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
	});

	it('names every folder', () => {
		const folders = new Set(sources.map((file) => dirname(file)));
		expect([...folders].filter((folder) => !named.includes(folder))).toEqual([]);
	});

	it.each(['gateway', 'groups', 'run', 'fields'])('names every file of %s/', (room) => {
		const files = sources.filter((file) => dirname(file) === `nodes/MessagingGateway/${room}`);
		expect(files.filter((file) => !named.includes(file))).toEqual([]);
	});
});
