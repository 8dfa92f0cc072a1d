import { parseArgs } from 'node:util';
import { defaultSeed, faultKinds, parseFaultKind, parseGeneration, startGateway, type Call } from './gateway';

const usage = `npm run gateway -- [options]

  --generation  published (default), 1 or 1.8, 2.2, 2 or 2.3, whatsmiau
  --port        8080 unless told otherwise; 0 for any free one
  --latency     milliseconds before each reply
  --tls         https with a self-signed certificate
  --fault       something that goes wrong, for all calls; may be given several times:
                ${faultKinds.join(' ')}
`;

const { instances, bots, apiKey } = defaultSeed;
const keys = [apiKey, ...instances.map((instance) => instance.apikey)];

function options() {
	return parseArgs({
		options: {
			generation: { type: 'string', default: 'published' },
			port: { type: 'string', default: '8080' },
			latency: { type: 'string', default: '0' },
			tls: { type: 'boolean', default: false },
			fault: { type: 'string', multiple: true },
			help: { type: 'boolean', default: false },
		},
	}).values;
}

function wholeNumber(name: string, text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	throw new Error(`--${name} takes a whole number, not "${text}".`);
}

function logCall({ method, path, status, startedAt, finishedAt }: Call): void {
	const shown = keys.reduce((line, key) => line.replaceAll(key, '…'), path);
	const took = Math.round((finishedAt ?? startedAt) - startedAt);
	console.log(`${method} ${shown} ${status ?? 'no reply'} ${took} ms`);
}

async function run(): Promise<void> {
	const values = options();
	if (values.help) return console.log(usage);
	const generation = parseGeneration(values.generation);
	const faults = (values.fault ?? []).map(parseFaultKind);
	const port = wholeNumber('port', values.port);
	const latency = wholeNumber('latency', values.latency);
	const gateway = await startGateway({ generation, port, latency, tls: values.tls, onCall: logCall });
	faults.forEach((kind) => gateway.fault({ kind }));

	console.log(`Gateway (${generation}) at ${gateway.url}`);
	console.log(`Key: ${gateway.apiKey}`);
	console.log('Instances:');
	instances.forEach(({ instanceName, status }) => console.log(`  ${instanceName}  ${status}`));
	console.log('Groups:');
	gateway
		.snapshot()
		.forEach(({ instance, groupJid, subject, members }) =>
			console.log(`  ${groupJid}  ${subject}, members: ${members.length}, of ${instance}`),
		);
	console.log('Bots:');
	bots.forEach(({ instance, record }) => console.log(`  ${record.id}  of ${instance}`));
	if (faults.length > 0) console.log(`Faults: ${faults.join(', ')}`);

	const stop = (): void => void gateway.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

run().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
