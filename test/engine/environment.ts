import Environment from '../environment';
import { IdleHosts } from './hosts';

// Jest loads this file once in each of its workers, and all else anew for each test file.
const idleHosts = new IdleHosts();
const usedPorts = new Set<number>();

/** Where an engine test runs: the environment of all tests, and what earlier test files have left: their children, and the ports that these know. */
export default class EngineEnvironment extends Environment {
	override async setup(): Promise<void> {
		await super.setup();
		this.global.idleHosts = idleHosts;
		this.global.usedPorts = usedPorts;
	}
}
