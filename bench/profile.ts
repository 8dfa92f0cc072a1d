import { Session, type Profiler } from 'node:inspector/promises';

/** Whose work a function is, told by any function on the stack. The first that fits counts. */
const PARTS = [
	{
		name: "n8n's: reading parameters, working out expressions",
		isIn: ({ functionName }: Frame) => /^_?getNodeParameter$/.test(functionName),
	},
	{
		name: "n8n's and Node's: sending requests, reading replies",
		isIn: ({ functionName, url }: Frame) =>
			functionName === 'httpRequestWithAuthentication' ||
			/axios|follow-redirects|^node:(_http|_tls|net|tls|internal\/(streams?|stream_|http|webstreams))/.test(
				url,
			),
	},
	{ name: 'this node', isIn: ({ url }: Frame) => url.includes('/n8n-nodes-messaging-gateway/dist/') },
];
const REST = "n8n's: the rest of its engine";
const GARBAGE = "Node's: collecting garbage";

type Frame = Profiler.ProfileNode['callFrame'];

/** CPU time in ms, by part. */
export type TimeByPart = Record<string, number>;

/** The parts, in the order in which they are told. */
export const partNames: string[] = [...PARTS.map(({ name }) => name), REST, GARBAGE];

/** Does some work under Node's CPU profiler, the one of `node --cpu-prof`. */
export async function profiled(work: () => unknown): Promise<TimeByPart> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		// In microseconds.
		await session.post('Profiler.setSamplingInterval', { interval: 200 });
		await session.post('Profiler.start');
		await work();
		const { profile } = await session.post('Profiler.stop');
		return timeByPart(profile);
	} finally {
		session.disconnect();
	}
}

function timeByPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): TimeByPart {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node] as const)));
	const times: TimeByPart = {};
	samples.forEach((id, i) => {
		const stack: Frame[] = [];
		for (let node = byId.get(id); node; node = parents.get(node.id)) stack.push(node.callFrame);
		const part = partOf(stack);
		if (part !== undefined) times[part] = (times[part] ?? 0) + (timeDeltas[i] ?? 0) / 1000;
	});
	return times;
}

/** Nothing where the process waits, or the profiler itself works (`dispatch`). */
function partOf(stack: Frame[]): string | undefined {
	const innermost = stack[0]?.functionName;
	if (innermost === '(idle)' || innermost === 'dispatch') return undefined;
	if (innermost === '(garbage collector)') return GARBAGE;
	return PARTS.find(({ isIn }) => stack.some(isIn))?.name ?? REST;
}
