import fc from 'fast-check';
import type { Gateway } from '../../gateway/gateway';
import {
	groupParameters,
	REGULAR_OUTPUT,
	runNode,
	seedWith,
	withEngine,
	withGateways,
	type NodeRun,
} from '../support';
import { runsOf } from '../../thorough';
import {
	changesAsked,
	CUSTOMERS,
	HIDDEN_NUMBERS,
	JUST_ME,
	SECOND_GROUP,
	SECOND_INSTANCE,
	upTo,
} from './people';

interface Row {
	instance: string;
	group: string;
	action: string;
	people: string[];
	exact: boolean;
}

/** There is no such instance. */
const NOBODY = 'nobody';
/** Few of each, so that rows get into each other's way. Who gets the last places of a full group may differ. */
const places: ReadonlyArray<readonly [instance: string, group: string]> = [
	['main', CUSTOMERS],
	['main', JUST_ME],
	['main', HIDDEN_NUMBERS],
	['main', '120363000000000005@g.us'], // by approval
	[SECOND_INSTANCE, SECOND_GROUP],
	[NOBODY, CUSTOMERS],
];
/** By person, the ways to write them; the gateway rewrites some, and knows some under another id. */
const spellings: ReadonlyArray<readonly string[]> = [
	['5511990000002', '+55 11 99000-0002', '5511990000002@c.us', '12000000991155@lid'],
	['4915200000000', '00 49 1520 0000000'],
	['4915200000001'],
	['5531999990002', '553199990002', '5531999990002@s.whatsapp.net'],
	['5215512345678', '525512345678@s.whatsapp.net'],
	['+50051234', '50051234@s.whatsapp.net'],
	...['401', '403', '404', '408', '417', '500'].map((code) => [`5511990000${code}`]),
];
const personOf = (spelling: unknown) => spellings.findIndex((one) => one.includes(String(spelling)));

const row: fc.Arbitrary<Row> = fc
	.record({
		place: fc.constantFrom(...places),
		action: fc.constantFrom('add', 'add', 'remove', 'promote', 'demote'),
		people: fc.array(fc.constantFrom(...spellings.flat()), { minLength: 1, maxLength: 4 }),
		exact: fc.boolean(),
	})
	.map(({ place: [instance, group], ...rest }) => ({ instance, group, ...rest }));
/** Often the same place many times, so that there is something to combine. */
const sheet = fc
	.tuple(fc.array(row, { minLength: 1, maxLength: 12 }), fc.subarray([...places], { minLength: 1 }))
	.map(([rows, within]) =>
		rows.map((one, i): Row => {
			const [instance = one.instance, group = one.group] = within[i % within.length] ?? [];
			return i % 3 === 0 ? one : { ...one, instance, group };
		}),
	);

describe('combining items (n8n 2.x)', () => {
	const engine = withEngine(2);
	const start = withGateways();
	const seed = seedWith((it) => {
		// What the gateway makes of 5531999990002, but not of the same number as a JID.
		it.people['553199990002@s.whatsapp.net'] = 'notOnNetwork';
	});

	const runOn = async (gateway: Gateway, rows: Row[], options: object): Promise<NodeRun> =>
		await runNode(
			engine(),
			gateway,
			groupParameters({
				instance: '={{ $json.instance }}',
				group: '={{ $json.group }}',
				action: '={{ $json.action }}',
				participants: '={{ $json.people }}',
				options: { exactNumbers: '={{ $json.exact }}', ...options },
			}),
			rows,
			REGULAR_OUTPUT,
		);
	const shown = ({ main }: NodeRun) =>
		main.map(({ json, pairedItem }) => ({
			pairedItem,
			participant: json.participant,
			failed: 'error' in json,
		}));

	it('leaves the groups as one request per item would, and says the same of everybody', async () => {
		await fc.assert(
			fc.asyncProperty(sheet, fc.integer({ min: 1, max: 6 }), async (rows, batchSize) => {
				const [combining, apart] = [await start({ seed }), await start({ seed })];
				const combined = await runOn(combining, rows, { batchSize });
				const separate = await runOn(apart, rows, { combineItems: false });
				expect(combined.error).toBeUndefined();
				// Nothing more is sent to it.
				const firstOfNobody = rows.find(({ instance }) => instance === NOBODY);
				expect(
					changesAsked(apart).map(({ instance, groupJid, action }) => [instance, groupJid, action]),
				).toEqual(
					rows
						.filter((one) => one.instance !== NOBODY || one === firstOfNobody)
						.map(({ instance, group, action }) => [instance, group, action]),
				);
				expect(combining.snapshot()).toEqual(apart.snapshot());
				expect(shown(combined)).toEqual(shown(separate));
				expect(changesAsked(combining).length).toBeLessThanOrEqual(
					batchSize < 4 ? Infinity : apart.calls.length,
				);
				combined.main.forEach(({ json }, i) => {
					const other = separate.main[i]?.json ?? {};
					if (json.outcome === other.outcome) {
						expect(json.applied).toEqual(other.applied);
					} else {
						// Somebody who is there twice: more or less is known of a request of one's own, and nothing else.
						expect(json.applied ?? other.applied).toBe(other.applied ?? json.applied);
						const twins = combined.main.filter(
							({ json: one }) =>
								personOf(one.participant) === personOf(json.participant) &&
								one.action === json.action &&
								one.groupJid === json.groupJid,
						);
						expect(twins.length).toBeGreaterThan(1);
					}
				});
				await Promise.all([combining.close(), apart.close()]);
			}),
			runsOf(80, 4),
		);
	});

	it('gives every participant of every item, in order, once', async () => {
		await fc.assert(
			fc.asyncProperty(
				sheet,
				fc.integer({ min: 1, max: 6 }),
				fc.boolean(),
				async (rows, batchSize, dryRun) => {
					const gateway = await start({ seed });
					const { main } = await runOn(gateway, rows, { batchSize, dryRun });
					const failed = new Set(
						main.flatMap(({ json, pairedItem }) => ('error' in json ? [JSON.stringify(pairedItem)] : [])),
					);
					expect(main.map(({ json, pairedItem }) => [pairedItem, json.participant])).toEqual(
						upTo(rows.length).flatMap((item): unknown[] => {
							const pairedItem = { item };
							if (failed.has(JSON.stringify(pairedItem))) return [[pairedItem, undefined]];
							return (rows[item]?.people ?? []).map((one) => [pairedItem, one]);
						}),
					);
					if (dryRun) expect(gateway.calls).toEqual([]);
					await gateway.close();
				},
			),
			runsOf(25, 2),
		);
	});
});
