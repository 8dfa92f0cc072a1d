import NodeEnvironment from 'jest-environment-node';
import { IdleHosts } from './hosts';

// Jest loads this file once in each of its workers, and all else anew for each test file.
const idleHosts = new IdleHosts();
const usedPorts = new Set<number>();
// Nothing is left to do by then. Without this, Node takes apart the heap of hundreds of megabytes first, and Jest reports a worker that takes half a second to end.
process.once('beforeExit', () => process.exit());

/** Where an engine test runs: Jest's usual environment, and what earlier test files have left: their children, and the ports that these know. */
export default class EngineEnvironment extends NodeEnvironment {
	override async setup(): Promise<void> {
		await super.setup();
		this.global.idleHosts = idleHosts;
		this.global.usedPorts = usedPorts;
	}
}
