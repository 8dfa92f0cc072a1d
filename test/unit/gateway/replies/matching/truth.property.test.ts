import fc from 'fast-check';
import { carryOut, isAsAsked, personIn, shortened, worlds, type Row, type World } from './networkModel';
import { request, resultsIn } from './rows';
import { runsOf } from '../../../../thorough';

const resultsFor = ({ sent, action }: World, updateParticipants: Row[]) =>
	resultsIn(request(sent, action), { updateParticipants });

describe('where the reply is true', () => {
	it('no result says of the group what is not so', () => {
		fc.assert(
			fc.property(worlds, fc.infiniteStream(fc.nat()), (world, order) => {
				const { rows, standing } = carryOut(world);
				const shuffled = rows
					.map((row) => ({ row, place: order.next().value }))
					.sort((a, b) => a.place - b.place)
					.map(({ row }) => row);

				for (const { applied, outcome, sentAs = '' } of resultsFor(world, shuffled)) {
					// "Not found" is said of the number that the gateway asked about.
					if (outcome === 'notFound' && shortened(sentAs) !== undefined) continue;
					expect([isAsAsked(world, sentAs, standing), null]).toContain(applied);
				}
			}),
			runsOf(500),
		);
	});

	it('all is known where every row has a number, and nobody was sent twice', () => {
		const clear = worlds.filter(
			({ names, sent, knowsBothForms }) =>
				['number', 'hiddenWithNumber'].includes(names) &&
				!knowsBothForms &&
				new Set(sent.map(personIn)).size === sent.length,
		);
		fc.assert(
			fc.property(clear, (world) => {
				const { rows } = carryOut(world);
				for (const { applied, code, sentAs = '' } of resultsFor(world, rows))
					// Numbers of Brazil, Mexico and Argentina have another form, of which a 404 says nothing.
					if (code !== '404' || !/^5[245]/.test(sentAs)) expect(applied).not.toBeNull();
			}),
			runsOf(500),
		);
	});
});
