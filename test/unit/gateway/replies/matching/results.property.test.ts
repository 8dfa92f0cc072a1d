import fc from 'fast-check';
import { ACTIONS, WORDING } from '../../../../../nodes/MessagingGateway/groups/outcomes';
import type { ChangeRequest, ChangeResult } from '../../../../../nodes/MessagingGateway/groups/change';
import { runsOf } from '../../../../thorough';
import { FORMS, shortened, spellings, worlds } from './networkModel';
import { request, resultsIn } from './rows';

/** Worlds in which an item names somebody more than once, and requests for them. */
const mentioning = fc
	.tuple(worlds, fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 8 }))
	.map(([world, mentions]) => ({ world, asked: request(mentions, world.action) }));
const requests = mentioning.map(({ asked }) => asked);
/** What is sent for a mention: the same, or the other spelling of a number that gateways leave as it is. */
function sentFor({ participants }: ChangeRequest, mention: string): string | undefined {
	const digits = mention.replace('@s.whatsapp.net', '');
	const same = shortened(digits) === undefined ? [digits, `${digits}@s.whatsapp.net`] : [mention];
	return participants.find(({ sentAs }) => same.includes(sentAs))?.sentAs;
}

function expectOneEach(asked: ChangeRequest, results: ChangeResult[]): void {
	expect(results.map(({ participant, sentAs }) => [participant, sentAs])).toEqual(
		asked.changes.map(({ participant }) => [participant.given, sentFor(asked, participant.sentAs)]),
	);
	for (const { outcome, applied, code } of results)
		if (outcome !== 'notFound' || code !== '404') expect(applied).toBe(WORDING[outcome].applied);
}

describe('whatever the reply is', () => {
	it('every mention has one result, in order', () => {
		fc.assert(
			fc.property(requests, fc.jsonValue(), (asked, reply) => {
				for (const one of [reply, { updateParticipants: reply }, [reply, reply]])
					expectOneEach(asked, resultsIn(asked, one));
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
			fc.property(requests, fc.array(row), (asked, reply) => {
				// As it arrives: only what JSON can hold.
				const arrived: unknown = JSON.parse(JSON.stringify({ updateParticipants: reply }));
				expectOneEach(asked, resultsIn(asked, arrived));
			}),
			runsOf(200),
		);
	});

	it('everybody is done where the gateway says so of everybody, in any order', () => {
		const all = [...FORMS.map(([full]) => full), '199999999999777@lid', '188888888888777@lid'];
		const orders = fc
			.subarray(all, { minLength: 1 })
			.chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })));
		fc.assert(
			fc.property(orders, fc.constantFrom(...ACTIONS), ([sent, answered], action) => {
				const rows = answered.map((one) => ({ status: '200', jid: shortened(one) ?? one }));

				expect(resultsIn(request(sent, action), rows).map(({ outcome }) => outcome)).toEqual(
					sent.map(() => 'done'),
				);
			}),
			runsOf(500),
		);
	});
});
