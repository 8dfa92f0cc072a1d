import fc from 'fast-check';
import type { Call, Recording } from '../../gateway/gateway';
import { groupParameters, REGULAR_OUTPUT, runNode, withEngine, withGateways, type NodeRun } from '../support';
import { runsOf } from '../../thorough';
import { changesAsked } from './people';

const people = [
	...['4915200000000', '4915200000001', '5531999990002', '5215512345678', '447700900004'],
	...['12345678@s.whatsapp.net', '99887766554433@lid', '447700900005@c.us'],
];
/** How a reply may name them, and others. */
const ids = [
	...['4915200000000@s.whatsapp.net', '4915200000001:7@s.whatsapp.net', '553199990002@s.whatsapp.net'],
	...['5531999990002@s.whatsapp.net', '525512345678@s.whatsapp.net', '447700900004', '4915200000000@lid'],
	...['12345678@s.whatsapp.net', '99887766554433@lid', '447700900005@s.whatsapp.net', '555000111222@lid'],
];

const json = fc.jsonValue({ maxDepth: 2 });
const id = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, json);
const code = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.constantFrom<unknown>('200', '200', '200', 200, '403', '404', '409', '500', 409),
	},
	json,
);
const invite = fc.record(
	{
		tag: fc.constant('add_request'),
		attrs: fc.record({ code: json, expiration: json }, { requiredKeys: [] }),
	},
	{ requiredKeys: [] },
);
const content = fc.record(
	{
		attrs: fc.oneof(fc.record({ phone_number: id, jid: id }, { requiredKeys: [] }), json),
		content: fc.oneof(fc.array(fc.oneof(invite, json), { maxLength: 2 }), json),
	},
	{ requiredKeys: [] },
);
const replyRow = fc.record({ status: code, jid: id, content }, { requiredKeys: [] });
const list = fc.array(fc.oneof({ weight: 9, arbitrary: replyRow }, json), { maxLength: 7 });
const recording: fc.Arbitrary<Recording> = fc
	.record({
		status: fc.oneof(
			{ weight: 4, arbitrary: fc.constantFrom(200, 201) },
			fc.constantFrom(202, 204, 301, 304, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504),
		),
		contentType: fc.constantFrom('application/json', 'application/json', 'text/html', null),
		body: fc.oneof(
			{ weight: 6, arbitrary: list.map((updateParticipants): unknown => ({ updateParticipants })) },
			list,
			json,
			fc.string(),
		),
	})
	.map((response) => ({ response }));
const sheet = fc
	.uniqueArray(fc.constantFrom(...people), { minLength: 1, maxLength: 6 })
	.chain((chosen) =>
		fc
			.array(fc.integer({ min: 0, max: 3 }), { minLength: chosen.length, maxLength: chosen.length })
			.map((places) => [0, 1, 2, 3].map((place) => chosen.filter((_, i) => places[i] === place))),
	)
	.map((rows) => rows.filter((row) => row.length > 0).map((phone) => ({ phone })));

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
	typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

/** The digits of an id, and whether they are a hidden one's. */
function identity(value: unknown): string | undefined {
	const [, digits, domain] = /^(\d+)(?::\d+)?(?:@(.+))?$/.exec(String(value)) ?? [];
	return digits && `${domain === 'lid' ? 'lid' : 'phone'} ${digits}`;
}

/** The ids under which a reply may name somebody; the rewrites are those of the people above. */
function namesOf(sentAs: string): Array<string | undefined> {
	const rewritten = new Map([
		['5531999990002', '553199990002'],
		['5215512345678', '525512345678'],
	]).get(sentAs);
	return [identity(sentAs), ...(rewritten === undefined ? [] : [identity(rewritten)])];
}

/** The rows of a reply with one of these codes, each as the ids that it names. */
function reported(
	{ response: { status, body } }: Recording,
	codes: string[],
): Array<Array<string | undefined>> {
	if (status === null || status < 200 || status > 299) return [];
	const found = Array.isArray(body) ? body : fieldsOf(body)['updateParticipants'];
	const rowsOfReply: unknown[] = Array.isArray(found) ? found : [];
	return rowsOfReply
		.map(fieldsOf)
		.filter((row) => codes.includes(String(row.status).trim()))
		.map((row) => {
			const attrs = fieldsOf(fieldsOf(row.content).attrs);
			const jid = typeof row.jid === 'string' ? row.jid : attrs.jid;
			return [jid, attrs.phone_number].map(identity).filter((one) => one !== undefined);
		});
}

/** The question for the live state is answered as usual: an answer of any kind takes 5 s more each time. */
const isChange = ({ path }: Call) => path.includes('/updateParticipant/');

describe('any reply whatever (n8n 2.x)', () => {
	const engine = withEngine(2);
	const start = withGateways();

	const expectInOrder = ({ main, failed, error }: NodeRun, rows: Array<{ phone: string[] }>) => {
		expect(error).toBeUndefined();
		expect(failed).toEqual([]);
		let place = 0;
		rows.forEach(({ phone }, item) => {
			const first = main[place];
			const size = first?.error ? 1 : phone.length;
			const outputs = main.slice(place, place + size);
			expect(outputs.map(({ pairedItem }) => pairedItem)).toEqual(outputs.map(() => ({ item })));
			if (first?.error) {
				expect(first.error.itemIndex).toBe(item);
				expect(Object.keys(first.json)).toEqual(['error', 'message']);
			} else expect(outputs.map(({ json: { participant } }) => participant)).toEqual(phone);
			place += size;
		});
		expect(main).toHaveLength(place);
	};

	it('keeps number and order of the items, and calls nobody done who was not reported so', async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(sheet, recording, fc.integer({ min: 1, max: 6 }), async (rows, reply, batchSize) => {
				gateway.replay(reply, isChange);
				const before = gateway.calls.length;
				const parameters = groupParameters({ options: { batchSize, maxRetries: 0 } });
				const result = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);
				expectInOrder(result, rows);

				const done = new Set(
					result.main
						.filter(({ json: { outcome } }) => outcome === 'done')
						.map(({ json: { sentAs } }) => sentAs),
				);
				for (const { participants } of changesAsked({ calls: gateway.calls.slice(before) })) {
					const reports = reported(reply, ['200']);
					const unnamed = participants.filter(
						(one) =>
							done.has(one) && !reports.some((report) => namesOf(one).some((name) => report.includes(name))),
					);
					// Those who are left may be the ones whom as many rows are about that all say that the group is as asked.
					const known = participants.flatMap(namesOf);
					const foreign = reported(reply, ['200', '409']).filter(
						(report) => !report.some((name) => known.includes(name)),
					);
					expect(unnamed.length).toBeLessThanOrEqual(foreign.length);
				}
			}),
			runsOf(200),
		);
	});

	it('keeps the items of what it can read, whatever the reply, without simplify', async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(sheet, recording, async (rows, reply) => {
				gateway.replay(reply, isChange);
				const parameters = groupParameters({ simplify: false, options: { maxRetries: 0 } });
				const { main, error } = await runNode(engine(), gateway, parameters, rows, REGULAR_OUTPUT);
				expect(error).toBeUndefined();
				expect(main.flatMap(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
			}),
			runsOf(50),
		);
	});
});
