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
/** Those that count: of two people's numbers only the first. */
function callsIn(row: Row): string[] {
	const names = namesIn(row);
	const number = names.find((name) => /^\d+$/.test(name));
	return names.filter(
		(name) => number === undefined || !/^\d+$/.test(name) || personIn(name) === personIn(number),
	);
}
const ownName = (sent: string) => (sent.endsWith('@lid') ? sent : sent.replace(/[:@].*/, ''));
const namesOf = (sent: string) => [ownName(sent), shortened(sent)].filter((name) => name !== undefined);

function meaningOf({ status }: Row, action: Action, wasRewritten = false): Applied {
	if (typeof status !== 'number' && !status) return null;
	return WORDING[outcomeOf(String(status), action, wasRewritten)].applied;
}

/** Whether a reply gives a reason to say of a participant that the group is as asked, or is not. */
function follows(world: World, rows: Row[], sent: string, claim: boolean): boolean {
	const { action } = world;
	const says = (row: Row) => {
		const names = namesIn(row).filter((name) => /^\d+$/.test(name));
		const wasRewritten =
			!/@(?:lid|s\.whatsapp\.net)$/.test(sent) &&
			(names.length === 0 ? shortened(sent) !== undefined : names.some((name) => name !== ownName(sent)));
		return meaningOf(row, action, wasRewritten) === claim;
	};
	const naming = (one: string) =>
		rows.filter((row) => callsIn(row).some((name) => namesOf(one).includes(name)));
	if (naming(sent).some(says)) return true;

	const left = world.sent.filter((one) => {
		const others = world.sent.filter((other) => other !== one && shortened(other) === undefined).map(ownName);
		return !naming(one).some((row) => !namesIn(row).some((name) => others.includes(name)));
	});
	const about = new Set(world.sent.flatMap(naming));
	for (const row of about)
		for (const other of rows)
			if (namesIn(other).some((name) => namesIn(row).includes(name))) about.add(other);
	const rowsLeft = rows.filter((row) => !about.has(row));
	const isCertain =
		new Set(rowsLeft.map(({ status }) => String(status))).size === 1 ||
		rowsLeft.every((row) => meaningOf(row, action) === true);
	return (
		left.includes(sent) &&
		left.length >= rowsLeft.length &&
		rowsLeft.every((row) => namesIn(row).every((name) => name.endsWith('@lid'))) &&
		isCertain &&
		rowsLeft.length > 0 &&
		rowsLeft.every(says)
	);
}

const lies = worlds.chain((world) => fc.tuple(fc.constant(world), tamperedRows(carryOut(world).rows)));

describe('where the reply may be anything', () => {
	it('a result follows from rows that name the participant, or from all that are left', () => {
		fc.assert(
			fc.property(lies, ([world, rows]) => {
				const results = resultsFor(world, rows);
				const claims = results.filter(({ applied }) => applied !== null);
				expect(
					claims.filter(
						({ sentAs = '', applied }) => applied !== null && !follows(world, rows, sentAs, applied),
					),
				).toEqual([]);
			}),
			runsOf(500),
		);
	});

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
