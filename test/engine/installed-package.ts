import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import type { Line } from './line';

const PACKAGE_NAME = 'n8n-nodes-messaging-gateway';

/** The built package, loaded by n8n's own loader. */
export interface InstalledPackage {
	name: string;
	node: INodeType;
	trigger: INodeType;
	credential: ICredentialType;
}

/**
 * Installs the built package (what is published, not the sources) beside the line's own n8n-workflow and loads it.
 * In the project folder itself it would resolve the other line's n8n-workflow, whose error classes the engine
 * does not know.
 */
export async function installPackage(
	line: Line,
	packageRoot: string,
	folder: string,
): Promise<InstalledPackage> {
	if (!existsSync(join(packageRoot, 'dist'))) {
		throw new Error(`There is no build in ${packageRoot}: run "npm run build" first`);
	}
	const modules = join(folder, 'node_modules');
	const directory = join(modules, PACKAGE_NAME);
	mkdirSync(directory, { recursive: true });
	for (const entry of ['package.json', 'dist']) {
		cpSync(join(packageRoot, entry), join(directory, entry), { recursive: true });
	}
	symlinkSync(line.workflowFolder, join(modules, 'n8n-workflow'), 'junction');

	const loader = new line.core.PackageDirectoryLoader(directory);
	await loader.loadAll();
	const nodes = Object.values(loader.nodeTypes).map(({ type }) =>
		line.workflow.NodeHelpers.getVersionedNodeType(type),
	);
	const node = nodes.find(({ execute }) => execute !== undefined);
	const trigger = nodes.find(({ poll }) => poll !== undefined);
	const credential = Object.values(loader.credentialTypes)[0]?.type;
	if (!node || !trigger || !credential) throw new Error(`${PACKAGE_NAME} has not all of its types`);
	return { name: PACKAGE_NAME, node, trigger, credential };
}
