import { locator, type NodeRun } from '../../engine/support';
import { drive, runOnce, tell } from '../drive';
import { told } from '../network/gateway';
import { misleading } from '../network/rows';
import { Random } from '../random';
import { SyncGateway } from './gateway';
import { judgeSync } from './judge';
import { idsOfMember, type Ids } from './people';
import { planSync, type SyncPlan } from './plan';

const parameters = {
	resource: 'group',
	operation: 'syncParticipants',
	instance: locator('={{ $json.instance }}'),
	group: locator('={{ $json.group }}'),
	participants: '={{ $json.phones }}',
	shouldBeMember: '={{ $json.should }}',
	unlisted: '={{ $json.unlisted }}',
};

/**
 * Sync against the hostile gateway: in each world two runs, the second without troubles.
 *
 * @param only one world of the seed: told in full instead
 * @returns whether nothing was contradictory, and there was time for all worlds
 */
export async function soakSync(seed: number, worlds: number, only?: number): Promise<boolean> {
	return await drive(
		() => new SyncGateway(),
		worlds,
		only,
		async (world, worker, findings) => {
			const { gateway } = worker;
			const make = async (name: string, plan: SyncPlan): Promise<NodeRun> => {
				const start = plan.scene.network.copy();
				const settings = { ...parameters, options: plan.options };
				const { run, contradictions: wrong } = await runOnce(worker, settings, plan);
				findings.add(name, [...wrong, ...judgeSync(plan, run, gateway, start)]);
				findings.count(run, gateway.received.length + gateway.reads.length + gateway.listings.length);
				const reads = gateway.reads.map((read) => JSON.stringify(read));
				if (only !== undefined) tell(plan, run, [...reads, ...gateway.received.map(told)]);
				return run;
			};
			const plan = planSync(new Random(seed, world), new Random(seed, world, 1));
			const run = await make(`world ${world}`, plan);
			const byHiddenId = run.main.some(({ json }) => String(json.participant).endsWith('@lid'));
			const shows = ({ numbers, lids }: Ids) => numbers.length > 0 && (!byHiddenId || lids.length > 0);
			const areShown = () =>
				gateway.reads.every(({ members, lied }) => !lied && members?.every((one) => shows(idsOfMember(one))));
			const isComplete = [...run.main, ...run.failed].every(({ json }) => json.applied === true);
			const isMisled = gateway.received.some(({ distortion }) => distortion === misleading);
			const settled = run.error === undefined && isComplete && !isMisled && areShown();
			const calm = { troubleShare: 0, distortionShare: 0, readTroubleShare: 0, listTroubleShare: 0 };
			await make(`world ${world}, second run`, { ...plan, scene: { ...plan.scene, ...calm } });
			const more = gateway.received.map((one) => `a second run sends a change. ${told(one)}`);
			// Who was added may be listed without their number.
			if (settled && areShown()) findings.add(`world ${world}`, more);
		},
	);
}
