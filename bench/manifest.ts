import { readFileSync } from 'node:fs';

/** A package.json. */
export interface Manifest {
	version: string;
	dependencies: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

/** Reads one. */
export function readManifest(file: string): Manifest {
	return JSON.parse(readFileSync(file, 'utf8'));
}
