import { groupParameters, runNode, seedWith } from '../../engine/support';
import { startGateway, type Call, type Gateway } from '../../gateway/gateway';
import { add } from '../counts';
import { drive } from '../drive';
import { Random } from '../random';
import { planRun, troubles } from './plan';
import { compare } from './truth';

const seedOfGateway = seedWith((seed) => (seed.silenceMs = 20));
const parameters = {
	group: '={{ $json.group }}',
	action: '={{ $json.action }}',
	participants: '={{ $json.phones }}',
};

/** The usual gateway, anew for each run; most requests go wrong, as random numbers say. */
class FaultyGateway {
	readonly faults = new Map<string, number>();
	private gateway: Gateway | undefined;

	async start(): Promise<Gateway> {
		return (this.gateway = await startGateway({ seed: seedOfGateway }));
	}

	async stop(): Promise<void> {
		await this.gateway?.close();
	}

	async begin(random: Random): Promise<Gateway> {
		await this.stop();
		const gateway = await this.start();
		const decided = new Map<Call, (typeof troubles)[number] | undefined>();
		const decide = (call: Call) => {
			// The question after a change of which nothing is known: without an answer the run would be over.
			if (call.path.startsWith('/instance/connectionState/')) return undefined;
			if (decided.has(call)) return decided.get(call);
			const trouble = random.chance(0.9) ? random.weighted(troubles) : undefined;
			decided.set(call, trouble);
			const how = trouble?.applied === true ? ' (applied)' : '';
			if (trouble !== undefined) add(this.faults, trouble.kind + how);
			return trouble;
		};
		for (const trouble of troubles) gateway.fault({ ...trouble, on: (call) => decide(call) === trouble });
		return gateway;
	}
}

/**
 * Group maintenance in which most requests go wrong: what the node says of it against what the gateway shows.
 *
 * @returns whether nothing was contradictory, and there was time for all faults
 */
export async function soakRandom(seed: number, faults: number, only?: number): Promise<boolean> {
	return await drive(
		() => new FaultyGateway(),
		{ faults },
		only,
		async (number, { engine, gateway: faulty }, findings) => {
			const plan = planRun(new Random(seed, number));
			const gateway = await faulty.begin(new Random(seed, number, 1));
			const before = gateway.snapshot();
			const settings = groupParameters({ ...parameters, options: plan.options });
			const run = await runNode(engine, gateway, settings, plan.rows, { onError: 'continueRegularOutput' });
			const contradictions = compare(plan, run, before, gateway.snapshot());
			if (run.error !== undefined) contradictions.push(`the run ended. ${run.error.message}`);
			findings.add(`run ${number}`, contradictions);
			findings.count(run, gateway.calls.length);
		},
	);
}
