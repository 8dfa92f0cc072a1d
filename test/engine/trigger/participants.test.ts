import { kindsSeed, KINDS } from '../../gateway/gateway';
import { describeEachLine, withGateways } from '../support';
import { participants, Trigger } from './trigger';

const NEW = '12025550100';
const ANA = '5511990000002';
const OTHER = '5521990000003';

describeEachLine('Group Participants Changed', (engine) => {
	const start = withGateways();

	it('only remembers when it is switched on, then gives one item for each change', async () => {
		const gateway = await start({ generation: '2.3', seed: kindsSeed });
		const trigger = new Trigger(engine(), gateway, participants());
		const group = ['keeper', KINDS.numbers] as const;

		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: true });
		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: false });

		gateway.network.join(...group, NEW);
		gateway.network.leave(...group, OTHER);
		gateway.network.promote(...group, '447700900004');
		gateway.network.demote(...group, ANA);
		const detectedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		const where = { instance: 'keeper', groupJid: KINDS.numbers, detectedAt };
		const jid = (number: string) => ({ participant: number, jid: `${number}@s.whatsapp.net` });
		const items = await trigger.items();
		expect(items).toHaveLength(4);
		expect(items).toEqual(
			expect.arrayContaining([
				{ change: 'left', ...where, ...jid(OTHER), role: 'member' },
				{ change: 'joined', ...where, ...jid(NEW), role: 'member' },
				{ change: 'promoted', ...where, ...jid('447700900004'), role: 'admin', previousRole: 'member' },
				{
					change: 'demoted',
					...where,
					...jid(ANA),
					role: 'member',
					name: 'Ana Example',
					previousRole: 'admin',
				},
			]),
		);
		expect(await trigger.poll()).toMatchObject({ items: null, isWritten: false });
	});
});
