import { groupParameters } from '../../engine/support';
import { drive, runOnce, tell } from '../drive';
import { Random } from '../random';
import { HostileGateway, told } from '../network/gateway';
import { judge } from './judge';
import { planRun } from './plan';

const parameters = {
	instance: '={{ $json.instance }}',
	group: '={{ $json.group }}',
	action: '={{ $json.action }}',
	participants: '={{ $json.phones }}',
};

/**
 * Group changes against the hostile gateway.
 *
 * @param only one run of the seed: told in full instead
 * @returns whether nothing was contradictory, and there was time for all faults
 */
export async function soakHostile(seed: number, faults: number, only?: number): Promise<boolean> {
	return await drive(
		() => new HostileGateway(),
		{ faults },
		only,
		async (number, worker, findings) => {
			const plan = planRun(new Random(seed, number), new Random(seed, number, 1));
			const start = plan.scene.network.copy();
			const settings = groupParameters({ ...parameters, options: plan.options });
			const { run, contradictions } = await runOnce(worker, settings, plan);
			const { received } = worker.gateway;
			findings.add(`run ${number}`, [...contradictions, ...judge(plan, run, received, start)]);
			findings.count(run, received.length);
			if (only !== undefined) tell(plan, run, received.map(told));
		},
	);
}
