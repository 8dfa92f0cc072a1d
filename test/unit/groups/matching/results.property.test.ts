import fc from 'fast-check';
import { ACTIONS, WORDING, type Action } from '../../../../nodes/MessagingGateway/groups/outcomes';
import type { ChangeRequest, ChangeResult } from '../../../../nodes/MessagingGateway/groups/change';
import { person, requestOf } from '../../support';
import { runsOf } from '../../../thorough';
import { resultsIn } from './rows';

/** One row as gateways send it. */
interface Row {
	status?: unknown;
	jid?: unknown;
	content?: { attrs?: { jid?: unknown; phone_number?: unknown; error?: unknown } };
}

const NUMBERS = [
	'5511999990001',
	'5521988880002',
	'4915112345678',
	// A number and what gateways make of it.
	'5531999990002',
	'553199990002',
	'5215512345678',
	'525512345678',
];
const LIDS = ['199999999999777@lid', '188888888888777@lid', '5511999990001@lid'];
const IDS = [
	...NUMBERS,
	...LIDS,
	'5511999990001@s.whatsapp.net',
	'5521988880002:3@s.whatsapp.net',
	'5531999990002@s.whatsapp.net',
	'4915112345678@s.whatsapp.net',
];

const someone = fc.constantFrom(...NUMBERS.map((number) => `${number}@s.whatsapp.net`), ...LIDS, ...IDS);
const code = fc.constantFrom('200', '200', '200', '403', '404', '408', '409', '599');

const requests: fc.Arbitrary<ChangeRequest> = fc
	.record({
		action: fc.constantFrom(...ACTIONS),
		mentions: fc.array(fc.constantFrom(...IDS), { minLength: 1, maxLength: 8 }),
	})
	.map(({ action, mentions }) => requestFor(action, mentions));

const rows: fc.Arbitrary<Row[]> = fc.array(
	fc.oneof(
		fc.record({ status: code, jid: someone }),
		fc.record({
			status: code,
			jid: fc.constantFrom(...LIDS),
			content: fc.record({ attrs: fc.record({ phone_number: someone }) }),
		}),
		fc.record({ jid: someone, content: fc.record({ attrs: fc.record({ error: code }) }) }),
		fc.record({ status: fc.jsonValue() }, { requiredKeys: [] }),
	),
	{ maxLength: 8 },
);

function requestFor(action: Action, mentions: string[]): ChangeRequest {
	return requestOf(action, mentions.map(person));
}

/** A reply to the request as a gateway would give it, then shuffled, with rows twice, left out and changed. */
function damaged(request: ChangeRequest): fc.Arbitrary<Row[]> {
	const honest = request.participants.map(({ sentAs }) => ({
		status: '200',
		jid: shortened(sentAs) ?? sentAs,
	}));
	return fc
		.tuple(
			fc.shuffledSubarray([...honest, ...honest]),
			rows,
			fc.array(fc.tuple(fc.nat(), code), { maxLength: 3 }),
		)
		.map(([kept, strange, changes]) => {
			const all: Row[] = [...kept, ...strange.slice(0, 2)];
			for (const [place, status] of changes)
				if (all.length > 0) all[place % all.length] = { ...all[place % all.length], status };
			return all;
		});
}

/** What gateways are known to make of a plain number. */
function shortened(number: string): string | undefined {
	if (!/^\d{13}$/.test(number)) return undefined;
	if (/^5[24]/.test(number)) return number.slice(0, 2) + number.slice(3);
	const isShortened = number.startsWith('55') && number.slice(2, 4) >= '31' && number.charAt(5) >= '7';
	return isShortened ? number.slice(0, 4) + number.slice(5) : undefined;
}

/** What is sent for a mention: the same, or the other spelling of a number that gateways leave as it is. */
function sentFor({ participants }: ChangeRequest, mention: string): string | undefined {
	const digits = mention.replace('@s.whatsapp.net', '');
	const spellings = shortened(digits) === undefined ? [digits, `${digits}@s.whatsapp.net`] : [mention];
	return participants.find(({ sentAs }) => spellings.includes(sentAs))?.sentAs;
}

function expectOneEach(request: ChangeRequest, results: ChangeResult[]): void {
	expect(results.map(({ participant, sentAs }) => [participant, sentAs])).toEqual(
		request.changes.map(({ participant }) => [participant.given, sentFor(request, participant.sentAs)]),
	);
	for (const { outcome, applied, code } of results)
		if (outcome !== 'notFound' || code !== '404') expect(applied).toBe(WORDING[outcome].applied);
}

const repliesOf = (request: ChangeRequest) =>
	fc.tuple(fc.constant(request), fc.oneof(rows, damaged(request)));

describe('whatever the reply is', () => {
	it('every mention has one result, in order', () => {
		fc.assert(
			fc.property(requests, fc.jsonValue(), (request, reply) => {
				expectOneEach(request, resultsIn(request, reply));
				expectOneEach(request, resultsIn(request, { updateParticipants: reply }));
				expectOneEach(request, resultsIn(request, [reply, reply]));
			}),
			runsOf(200),
		);
	});

	it('every mention has one result, in order, for JSON in the places of a row', () => {
		const row = fc.record(
			{
				status: fc.jsonValue(),
				jid: fc.jsonValue(),
				content: fc.oneof(
					fc.jsonValue(),
					fc.record({
						attrs: fc.record({ jid: fc.jsonValue(), phone_number: fc.jsonValue(), error: fc.jsonValue() }),
						content: fc.array(
							fc.record({
								tag: fc.constant('add_request'),
								attrs: fc.record({
									code: fc.jsonValue(),
									expiration: fc.oneof(
										fc.jsonValue(),
										fc.dictionary(fc.constantFrom('toString', 'valueOf', '__proto__'), fc.jsonValue()),
									),
								}),
							}),
						),
					}),
				),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(requests, fc.array(row), (request, reply) => {
				// As it arrives: only what JSON can hold.
				const arrived: unknown = JSON.parse(JSON.stringify({ updateParticipants: reply }));
				expectOneEach(request, resultsIn(request, arrived));
			}),
			runsOf(200),
		);
	});

	it('every mention has one result, in order, for rows like real ones', () => {
		fc.assert(
			fc.property(requests.chain(repliesOf), ([request, updateParticipants]) => {
				expectOneEach(request, resultsIn(request, { updateParticipants }));
			}),
			runsOf(500),
		);
	});

	// Of a 404, a full JID is sure of what a number isn't.
	it('the mentions of a participant in one form, as number or full JID, have the same result', () => {
		fc.assert(
			fc.property(requests.chain(repliesOf), ([request, reply]) => {
				const firstFor = new Map<string, ChangeResult>();
				for (const result of resultsIn(request, { updateParticipants: reply })) {
					const mention = `${result.sentAs} ${result.participant.includes('@')}`;
					const first = firstFor.get(mention) ?? result;
					firstFor.set(mention, first);
					expect({ ...result, participant: first.participant }).toEqual(first);
				}
			}),
			runsOf(500),
		);
	});

	it('everybody is done where the gateway says so of everybody, in any order', () => {
		const distinct = fc.shuffledSubarray([...NUMBERS.slice(0, 4), ...LIDS.slice(0, 2)], { minLength: 1 });
		fc.assert(
			fc.property(
				distinct,
				fc.constantFrom(...ACTIONS),
				fc.infiniteStream(fc.nat()),
				(sent, action, order) => {
					const request = requestFor(action, sent);
					const reply = sent
						.map((one) => ({ row: { status: '200', jid: shortened(one) ?? one }, place: order.next().value }))
						.sort((a, b) => a.place - b.place)
						.map(({ row }) => row);

					expect(resultsIn(request, reply).map(({ outcome }) => outcome)).toEqual(sent.map(() => 'done'));
				},
			),
		);
	});
});
