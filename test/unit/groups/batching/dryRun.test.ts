import { plannedResults } from '../../../../nodes/MessagingGateway/groups/batching';
import { NUMBERS, person, requestOf } from '../../support';

const [ANA = '', BEN = ''] = NUMBERS;

it('a dry run has a planned result for each participant, in order', () => {
	expect(plannedResults(requestOf('remove', [ANA, BEN, ANA].map(person)))).toEqual(
		[ANA, BEN, ANA].map((number) => ({
			instance: 'main',
			groupJid: '1@g.us',
			action: 'remove',
			participant: number,
			sentAs: number,
			outcome: 'planned',
			applied: null,
			message: expect.stringContaining('nothing was sent'),
		})),
	);
});
