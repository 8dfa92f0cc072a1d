import { type Fault, GENERATIONS } from '../../gateway/gateway';
import {
	describeEachLine,
	ERROR_OUTPUT,
	groupParameters,
	locator,
	withEngine,
	withGateways,
} from '../support';
import { KEY_FORMS } from '../../unit/gateway/redact/keyForms';
import { NEWCOMERS, runOnce, subjectOf } from './attempts';
import { canariesIn, canary, canarySeed, formsIn, KEY, keyInFields, OPEN, secretFields } from './canaries';
import { BOT } from '../../gateway/seed';

const PICKERS = ['searchInstances', 'searchGroups', 'searchBots'];
const CHANGE = 'group updateParticipants';

const [firstPhone = ''] = NEWCOMERS;
const instance = locator('main', 'name');
const lists = { resource: 'instance', operation: 'getAll', returnAll: true };
const gets = { resource: 'instance', operation: 'get', instance };
const bots = { resource: 'bot', operation: 'get', instance, bot: locator(BOT, 'id') };

/** Faults whose words hold secrets, and what must be left of the words. */
const echoes: Array<{ title: string; fault: Fault; left: RegExp }> = [
	{
		title: 'a refusal that repeats the key',
		fault: { kind: '401', body: { response: { message: `The key ${KEY} is not mine` } } },
		left: /The key \S+ is not mine/,
	},
	{
		title: 'the key percent-encoded in an address',
		fault: { kind: '500', body: { message: `GET /x?apikey=${encodeURIComponent(KEY)}&y failed` } },
		left: /GET \/x\?.*failed/,
	},
	{
		title: 'a page that shows the key',
		fault: { kind: 'html', body: `<html><body><p>Signed in with ${KEY}</p></body></html>` },
		left: /Signed in with/,
	},
	{
		title: 'an error beside the token that its words repeat',
		fault: { kind: '500', body: { error: 'Oops', token: canary('a'), message: `Bad ${canary('a')} there` } },
		left: /Bad \S+ there/,
	},
	{
		title: 'an error with secrets at every depth that its words repeat',
		fault: {
			kind: '500',
			body: { response: { message: [...canariesIn(secretFields('x')), 'rest'], details: secretFields('x') } },
		},
		left: /rest/,
	},
	{
		title: 'an unexpected shape with secrets',
		fault: { kind: 'wrong-shape', body: [{ message: `It is ${canary('d')} now`, jwt: canary('d') }] },
		left: /It is \S+ now/,
	},
];

describe('secrets', () => {
	const engine = withEngine(2);
	const start = withGateways();

	describe.each(GENERATIONS)('in the replies of %s', (generation) => {
		const withBots = generation !== '1.8';
		const withFields = generation === '2.2' || generation === '2.3';
		const operations: Array<[string, object]> = [
			['instance getAll', lists],
			['instance get', gets],
			...(withBots ? [['bot get', bots] satisfies [string, object]] : []),
		];

		it.each(operations)('%s hides them', async (name, parameters) => {
			const gateway = await start({ seed: canarySeed(), generation });
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			for (const simplify of [true, false]) {
				const ran = await runOnce(engine(), credentials, { ...parameters, options: { simplify } }, [{}, {}]);
				expect(ran.errors).toEqual([]);
				expect(ran.items.length).toBeGreaterThan(1);
				expect(canariesIn(ran.everything)).toEqual([]);
				expect(JSON.stringify(ran.items)).toContain('**hidden**');
				if (name !== 'bot get' && (simplify || !withFields)) continue;
				const text = JSON.stringify(ran.items);
				expect(text).toContain(OPEN);
				expect(text).toContain(`"maxTokens":300`);
				expect(text).toContain(`"tokenless":"${OPEN}"`);
				expect(text).toContain(`"emptyToken":"","noToken":null`);
			}
		});

		it.each(operations)('%s gives them where it is told to, in its items only', async (name, parameters) => {
			const gateway = await start({ seed: canarySeed(), generation });
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			const options = { includeSecrets: true, simplify: false };
			const all = { ...parameters, options };
			const ran = await runOnce(engine(), credentials, all, [{}]);
			const expected =
				name === 'bot get'
					? secretFields('bot')
					: withFields
						? { ...secretFields('extra-open'), token: '' }
						: {};
			expect(canariesIn(ran.items)).toEqual(expect.arrayContaining(canariesIn(expected)));
			if (name !== 'bot get') expect(canariesIn(ran.items)).toContain(canary('instance-open'));
			expect(canariesIn(ran.items)).not.toContain(KEY);
			expect(canariesIn(ran.told)).toEqual([]);
		});

		it('pickers and group changes give none', async () => {
			const gateway = await start({ seed: canarySeed(), generation });
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			for (const { attempt } of [...PICKERS, CHANGE].map(subjectOf)) {
				expect(canariesIn((await attempt(engine(), credentials)).everything)).toEqual([]);
			}
		});
	});

	// Not JSON any more, so the fields are to be seen only in the text.
	it.each(Object.entries(secretFields('cut')))(
		'are hidden in a list that is cut off after "%s"',
		async (...field) => {
			const gateway = await start({ seed: canarySeed() });
			const body = `[{"note":"${OPEN}",${field.map((part) => JSON.stringify(part)).join(':')},"more`;
			gateway.fault({ kind: 'wrong-shape', body });
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			for (const { attempt } of ['instance get', 'searchGroups', CHANGE].map(subjectOf)) {
				const { errors, everything } = await attempt(engine(), credentials, ERROR_OUTPUT);
				expect(errors.length).toBeGreaterThan(0);
				expect(canariesIn(everything)).toEqual([]);
			}
		},
	);

	describe.each(echoes)('in the words of $title', ({ fault, left }) => {
		const uses = [false, true].flatMap((includeSecrets) =>
			['instance get', 'bot get', CHANGE, ...(includeSecrets ? [] : ['searchGroups'])]
				.map(subjectOf)
				.map(({ name, attempt }) => ({
					title: `${name}${includeSecrets ? ', including secrets' : ''}`,
					attempt,
					includeSecrets,
				})),
		);

		it.each(uses)('$title', async ({ attempt, includeSecrets }) => {
			const gateway = await start({ seed: canarySeed() });
			// The second run asks for the live state, and goes on.
			gateway.fault({ ...fault, on: ({ path }) => !path.includes('/connectionState/') });
			const credentials = { baseUrl: gateway.url, apiKey: gateway.apiKey };
			const options = { includeSecrets, maxRetries: 0 };
			for (const onError of ['continueErrorOutput', 'stopWorkflow'] as const) {
				const tried = await attempt(engine(), credentials, { onError }, options);
				for (const { message } of tried.errors) expect(message).toMatch(left);
				expect(canariesIn(tried.told)).toEqual([]);
				if (!includeSecrets) expect(canariesIn(tried.everything)).toEqual([]);
			}
		});
	});
});

describeEachLine('the key that a gateway repeats in every form', (engine) => {
	const start = withGateways();

	/** A gateway whose every answer is this, with this status. */
	async function repeating(kind: Fault['kind'], body: unknown) {
		const gateway = await start({ seed: canarySeed() });
		gateway.fault({ kind, body });
		return { baseUrl: gateway.url, apiKey: gateway.apiKey };
	}

	const replies: Array<[string, object, unknown]> = [
		[
			'a list',
			{ ...lists, options: { simplify: false } },
			[{ name: 'main', connectionStatus: 'open', ...keyInFields() }],
		],
		['a list, simplified', lists, [{ instance: { instanceName: 'main', status: 'open', ...keyInFields() } }]],
		['a bot', bots, { id: BOT, ...keyInFields() }],
		[
			'the results of a group change',
			groupParameters(),
			{
				updateParticipants: [
					{
						jid: `${firstPhone}@s.whatsapp.net`,
						status: '403',
						content: { content: [{ tag: 'add_request', attrs: { code: keyInFields().serverUrl } }] },
					},
				],
			},
		],
	];

	it.each(replies)('is in no field of %s, whatever the options say', async (_, parameters, body) => {
		const credentials = await repeating('wrong-shape', body);
		for (const includeSecrets of [false, true]) {
			const options = { includeSecrets, batchInterval: 0 };
			const ran = await runOnce(engine(), credentials, { ...parameters, options }, [{ phone: firstPhone }]);
			expect(ran.errors).toEqual([]);
			expect(ran.items.length).toBeGreaterThan(0);
			expect(formsIn(ran.everything)).toEqual([]);
		}
	});

	it('is in no entry of a picker', async () => {
		const entries = KEY_FORMS.map(({ of }) => ({ name: of(KEY), id: `${of(KEY)}@g.us`, subject: of(KEY) }));
		const credentials = await repeating('wrong-shape', entries);
		for (const { attempt } of PICKERS.map(subjectOf)) {
			const { items, everything } = await attempt(engine(), credentials);
			expect(items.length).toBeGreaterThan(0);
			expect(formsIn(everything)).toEqual([]);
		}
	});

	it.each(KEY_FORMS)('is in no error: $name', async ({ of }) => {
		const credentials = await repeating('500', { response: { message: [`It is ${of(KEY)} here`, of(KEY)] } });
		for (const { attempt } of ['instance get', CHANGE, 'searchGroups'].map(subjectOf)) {
			const tried = await attempt(engine(), credentials, ERROR_OUTPUT, { maxRetries: 0 });
			for (const { message } of tried.errors) expect(message).toMatch(/It is \S+ here/);
			expect(tried.errors.length).toBeGreaterThan(0);
			expect(formsIn(tried.everything)).toEqual([]);
		}
	});

	it.each([
		['invisible', `${KEY}\u200b`, /an invisible character/],
		['typographic', `“${KEY}”`, /typographic quotes/],
		['broken', KEY.replace('-', '\n'), /an invisible character/],
	])(
		'is refused before anything is sent, and not shown, where it is pasted with %s things',
		async (_, apiKey, says) => {
			const gateway = await start({ seed: canarySeed() });
			const ran = await runOnce(engine(), { baseUrl: gateway.url, apiKey }, lists, [{}]);
			expect(ran.errors).toMatchObject([{ message: expect.stringMatching(says) }]);
			expect(formsIn(ran.told)).toEqual([]);
			expect(gateway.calls).toEqual([]);
		},
	);
});
