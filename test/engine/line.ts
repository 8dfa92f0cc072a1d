import 'reflect-metadata'; // n8n's classes need it before they are loaded
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { EngineLine } from './protocol';

const ROOT = join(__dirname, '../..');

/** Where each line's n8n-core is installed: that of 2.x with the project, that of 1.x by the first engine test. */
export const LINE_FOLDERS: Record<EngineLine, string> = { 1: join(ROOT, 'n8n-1'), 2: ROOT };

/**
 * One line's modules. The types are those of n8n 2.x for both: 1.x has all that is used here, and what it does
 * differently is handled (and said) where it is used.
 */
export interface Line {
	number: EngineLine;
	core: typeof import('n8n-core');
	workflow: typeof import('n8n-workflow');
	/** Where this line's own n8n-workflow is installed. */
	workflowFolder: string;
	/** A tool that n8n made for an AI agent → what the agent's model is shown of it, in the form of OpenAI's models. */
	toModelTool: (tool: object) => unknown;
}

/** Loads n8n-core and the n8n-workflow that belongs to it. One line per process: n8n keeps global state. */
export function loadLine(
	number: EngineLine,
	userFolder: string,
	logLevel: 'debug' | 'silent' = 'debug',
): Line {
	// n8n reads these when it is loaded, and writes its settings to the user folder.
	Object.assign(process.env, {
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: 'only-for-tests',
		N8N_LOG_LEVEL: logLevel,
		N8N_LOG_FORMAT: 'json', // the other formats leave out what was logged beside the message
		N8N_EXPRESSION_ENGINE: 'legacy', // the other one needs a native module
	});
	// By its path: by its name, a line that is not installed would give the other one.
	const corePath = join(LINE_FOLDERS[number], 'node_modules', 'n8n-core');
	const requireFromCore = createRequire(join(corePath, 'package.json'));
	return {
		number,
		core: requireFromCore(corePath),
		workflow: requireFromCore('n8n-workflow'),
		workflowFolder: dirname(requireFromCore.resolve(join('n8n-workflow', 'package.json'))),
		toModelTool: (tool) =>
			requireFromCore('@langchain/core/utils/function_calling').convertToOpenAITool(tool),
	};
}
