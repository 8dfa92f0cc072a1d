import { join } from 'node:path';

/** The lines of n8n that are tested. */
export type LineNumber = 1 | 2;

/** One line of n8n: where its server is installed, and what it needs. */
export interface Line {
	number: LineNumber;
	/** Holds its package.json, and its node_modules once it is installed. */
	folder: string;
	/** The size of what is installed there. */
	size: string;
	/** The oldest Node that it runs on. */
	oldestNode: number;
	/** Settings of its own. */
	env: Record<string, string>;
}

/** The lines by number. Versions are in each folder's package.json. */
export const LINES: Record<LineNumber, Line> = {
	1: {
		number: 1,
		folder: join(__dirname, 'n8n-1'),
		size: '1.4 GB',
		oldestNode: 20,
		env: { N8N_RUNNERS_ENABLED: 'false' },
	},
	2: { number: 2, folder: join(__dirname, 'n8n-2'), size: '2.4 GB', oldestNode: 24, env: {} },
};

/** The Node to run a line with: this process's own where it is new enough, else the one that its folder installs. */
export function nodeOf(line: Line): string {
	const own = Number(process.versions.node.split('.')[0]);
	return own >= line.oldestNode ? process.execPath : join(bundledNode(line), 'bin', 'node');
}

/** The npm package that carries a Node for a line, with its headers. */
export function bundledNode(line: Line): string {
	return join(line.folder, 'node_modules', `node-${process.platform}-${process.arch}`);
}

/** Reads `1` or `2`. @throws where it is neither */
export function readLine(text: string | undefined): Line {
	if (text === '1' || text === '2') return LINES[text === '1' ? 1 : 2];
	throw new Error(`There is no line "${String(text)}" of n8n: use 1 or 2`);
}
