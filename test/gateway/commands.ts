import type { NetworkEvents } from './network';
import { CUSTOMERS } from './seed';

const INSTANCE = 'main';
const SOMEBODY = '5521990000003';

interface Command {
	usage: string;
	/** @returns what happened, as a sentence */
	run(network: NetworkEvents, argument: string | undefined): string;
}

/** Lets happen on the network what triggers tell of, by the first word of a line. */
const COMMANDS: Readonly<Record<string, Command>> = {
	leave: {
		usage: `leave [NUMBER]    somebody leaves the group Customers: ${SOMEBODY} unless told otherwise`,
		run(network, person = SOMEBODY) {
			network.leave(INSTANCE, CUSTOMERS, person);
			return `${person} has left the group Customers.`;
		},
	},
	join: {
		usage: 'join [NUMBER]     somebody joins it',
		run(network, person = SOMEBODY) {
			network.join(INSTANCE, CUSTOMERS, person);
			return `${person} has joined the group Customers.`;
		},
	},
	close: {
		usage: `close [INSTANCE]  an instance closes: ${INSTANCE} unless told otherwise`,
		run(network, instance = INSTANCE) {
			network.setConnection(instance, 'close');
			return `The instance ${instance} has closed.`;
		},
	},
	open: {
		usage: 'open [INSTANCE]   it opens again',
		run(network, instance = INSTANCE) {
			network.setConnection(instance, 'open');
			return `The instance ${instance} is open.`;
		},
	},
};

/** Lists the commands, one a line. */
export const COMMAND_LIST = Object.values(COMMANDS)
	.map(({ usage }) => `  ${usage}`)
	.join('\n');

/** Carries out a line that a person typed. Returns what happened, what was wrong, or the list of commands. */
export function carryOut(network: NetworkEvents, line: string): string {
	const [, word = '', argument] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? [];
	const command = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
	if (command === undefined) return COMMAND_LIST;
	try {
		return command.run(network, argument || undefined);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
