import { createInterface } from 'node:readline';
import { carryOut, COMMAND_LIST } from '../test/gateway/commands';
import { say } from './install';
import { readLine } from './lines';
import { OWNER } from './support/rest';
import { runScript, withSite } from './support/script';

/** A real n8n for a person to try the node in, until it is told to stop. */
runScript(async () => {
	await withSite(readLine(process.argv[2] ?? '2'), async ({ rest, process: server }, gateway) => {
		say(`\nOpen    ${rest.url}\nEmail   ${OWNER.email}\nPassword ${OWNER.password}`);
		say(`Gateway ${gateway.url}, key ${gateway.apiKey}`);
		say(`\nTo see a trigger or an alert work, type here and press Enter:\n${COMMAND_LIST}`);
		say('\nCtrl+C ends it and removes everything.');
		const lines = createInterface({ input: process.stdin });
		lines.on('line', (line) => say(carryOut(gateway.network, line)));
		await server.ended;
		lines.close();
	});
});
