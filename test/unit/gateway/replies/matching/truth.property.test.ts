import fc from 'fast-check';
import { outcomeOf } from '../../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import { WORDING, type Action, type Applied } from '../../../../../nodes/MessagingGateway/groups/outcomes';
import {
	carryOut,
	isAsAsked,
	personIn,
	shortened,
	tamperedRows,
	worlds,
	type Row,
	type World,
} from './networkModel';
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

/** What a row calls its person, best first: hidden IDs as they are, and phone numbers as their digits. */
function namesIn({ jid, content }: Row): string[] {
	const { phone_number: phone, jid: otherJid } = content?.attrs ?? {};
	const isNumber = typeof jid === 'string' && /^\d/.test(jid) && !jid.endsWith('@lid');
	return [phone, jid, ...(isNumber ? [] : [otherJid])].flatMap((name) =>
		typeof name !== 'string' || name === ''
			? []
			: /^\d+@lid$/.test(name)
				? [name]
				: [name.replace(/[:@].*/, '')],
	);
}
const ownName = (sent: string) => (sent.endsWith('@lid') ? sent : sent.replace(/[:@].*/, ''));

function meaningOf({ status }: Row, action: Action): Applied {
	if (typeof status !== 'number' && !status) return null;
	return WORDING[outcomeOf(String(status), action)].applied;
}

const lies = worlds.chain((world) => fc.tuple(fc.constant(world), tamperedRows(carryOut(world).rows)));

describe('where the reply may be anything', () => {
	it('nothing is said of a participant whose own rows contradict each other', () => {
		fc.assert(
			fc.property(lies, ([world, rows]) => {
				for (const { sentAs = '', applied } of resultsFor(world, rows)) {
					if (shortened(sentAs) !== undefined) continue;
					const about = rows.filter((row) => namesIn(row)[0] === ownName(sentAs));
					const meanings = new Set(about.map((row) => meaningOf(row, world.action)));
					if (meanings.size > 1) expect(applied).toBeNull();
				}
			}),
			runsOf(500),
		);
	});
});
