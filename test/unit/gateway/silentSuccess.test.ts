import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import { GatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { ConnectionFailure } from '../../../nodes/MessagingGateway/gateway/http';
import type { ChangeRequest } from '../../../nodes/MessagingGateway/groups/change';
import { CREDENTIAL, person } from '../support';
import { allRecordings, load, type Recorded } from '../../recordings';

let gateways = 0;
const GROUP = { instance: 'main', groupJid: '1@g.us' };
const OPTIONS = { timeout: 120_000, maxRetries: 2 };
const MINUTE = 60_000;

/** A reply, and how long it takes; or the code of a connection that fails. */
type Played = readonly [status: number, body: unknown, elapsed: number] | string;

/** A client that gets these replies, one of each route, and what it asked for. */
function clientOf(replies: Record<string, Played>): { client: GatewayClient; asked: string[] } {
	const asked: string[] = [];
	// What is known of one gateway lasts as long as the process.
	const baseUrl = `https://g-${++gateways}.example.com`;
	const client = new GatewayClient({ ...CREDENTIAL, baseUrl }, async ({ url }) => {
		const route = new URL(url).pathname.split('/')[2] ?? '';
		asked.push(route);
		const played = replies[route] ?? [404, { message: [`Cannot GET ${url}`] }, 1];
		if (typeof played === 'string') throw new ConnectionFailure(played);
		const [status, body, elapsed] = played;
		return await Promise.resolve({ status, headers: {}, text: JSON.stringify(body), elapsed });
	});
	return { client, asked };
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => undefined,
		(failure: unknown) => failure,
	);
}

const groupReplies = allRecordings.filter((name) => name.includes('__findGroupInfos__'));
const isGroup = ({ response }: Recorded): boolean => response.status === 200 && response.body !== null;
const announceOf = ({ response }: Recorded): unknown => Object(response.body).announce;

describe('a setting that is said to be changed', () => {
	it.each<[string, Played, RegExp | undefined]>([
		['shows it', [200, { announce: true }, 5], undefined],
		['shows the old one', [200, { announce: false }, 5], /^The setting wasn't changed.*gateway took it/],
		['shows nothing', [200, {}, 5], undefined],
		['is refused', [404, { message: ['Error fetching group', 'Error: rate-overlimit'] }, 5], undefined],
		['cannot be read', 'ECONNRESET', undefined],
	])('is looked up once, and believed unless the group shows another: %s', async (_, group, says) => {
		const { client, asked } = clientOf({ updateSetting: [201, {}, 54_000], findGroupInfos: group });
		const failure = await failureOf(client.updateSetting(GROUP, 'sendMessages', 'admins', OPTIONS));
		expect(failure instanceof Error ? failure.message : undefined).toEqual(
			says && expect.stringMatching(says),
		);
		expect(asked).toEqual(['updateSetting', 'findGroupInfos']);
		// Nothing is stopped by it.
		await client.updateSetting(GROUP, 'sendMessages', 'admins', OPTIONS).catch(() => undefined);
		expect(asked).toHaveLength(4);
	});

	describe('after a minute', () => {
		it.each(groupReplies)('depends on the group, read once: %s', async (name) => {
			const recorded = load(name);
			const { status, body } = recorded.response;
			for (const who of ['admins', 'everyone'] as const) {
				const { client, asked } = clientOf({
					updateSetting: [201, {}, MINUTE],
					findGroupInfos: [status ?? 504, body, 5],
				});
				const failure = await failureOf(client.updateSetting(GROUP, 'sendMessages', who, OPTIONS));
				expect(asked).toEqual(['updateSetting', 'connectionState', 'findGroupInfos']);
				if (!isGroup(recorded)) {
					expect(failure).toMatchObject({ message: "The messaging network didn't answer the gateway" });
					expect(failure).toMatchObject({ policy: { certainlyNotApplied: false } });
				} else if (announceOf(recorded) === (who === 'admins')) expect(failure).toBeUndefined();
				else {
					expect(failure).toMatchObject({ message: expect.stringMatching(/^The setting wasn't changed/) });
					expect(failure).not.toBeInstanceOf(GatewayFailure);
				}
			}
		});

		it.each([
			['editInfo', 'admins', { restrict: true, announce: false }],
			['editInfo', 'everyone', { restrict: false, announce: true }],
			['sendMessages', 'admins', { restrict: false, announce: true }],
		] as const)('is that field of the group: %s, %s', async (setting, who, group) => {
			const { client } = clientOf({ updateSetting: [201, {}, MINUTE], findGroupInfos: [200, group, 5] });
			expect(await failureOf(client.updateSetting(GROUP, setting, who, OPTIONS))).toBeUndefined();
		});

		it("isn't known of an instance that isn't connected, which is said", async () => {
			const { client, asked } = clientOf({
				updateSetting: [201, {}, MINUTE],
				findGroupInfos: [
					404,
					load('v2.3.6-SIM__findGroupInfos__waits-for-its-qr-code').response.body,
					MINUTE,
				],
				connectionState: [200, { instance: { instanceName: 'main', state: 'connecting' } }, 5],
			});
			const failure = await failureOf(client.updateSetting(GROUP, 'sendMessages', 'admins', OPTIONS));
			expect(failure).toMatchObject({
				message: "The instance isn't connected",
				policy: { certainlyNotApplied: false },
			});
			expect(asked).toEqual(['updateSetting', 'connectionState']);
		});

		it.each(['ETIMEDOUT', 'ECONNREFUSED'])(
			"isn't known either of a gateway that doesn't answer any more: %s",
			async (connectionState) => {
				const { client, asked } = clientOf({ updateSetting: [201, {}, MINUTE], connectionState });
				const failure = await failureOf(client.updateSetting(GROUP, 'editInfo', 'admins', OPTIONS));
				expect(failure).toMatchObject({
					message: "The messaging network didn't answer the gateway",
					policy: { certainlyNotApplied: false },
				});
				expect(asked).toEqual(['updateSetting', 'connectionState']);
			},
		);
	});
});

describe('after a success with nothing in it', () => {
	const state = (text: string): Played => [200, { instance: { instanceName: 'main', state: text } }, 5];
	const request: ChangeRequest = {
		...GROUP,
		action: 'add',
		changes: [],
		participants: [person('4915200000001')],
	};
	const change = { ...GROUP, item: 0, action: 'add' as const, participant: person('4915200000001') };
	const invite = { message: 'Join us', sentAs: '1' };
	const writes: Array<[string, (client: GatewayClient) => Promise<unknown>, unknown]> = [
		[
			'updateParticipant',
			async (client) => await client.changeParticipants(request, OPTIONS),
			{ updateParticipants: [] },
		],
		['updateSetting', async (client) => await client.updateSetting(GROUP, 'editInfo', 'admins', OPTIONS), {}],
		['revokeInviteCode', async (client) => await client.resetInviteLink(GROUP, OPTIONS), { revoked: true }],
		[
			'sendInvite',
			async (client) => await client.sendInvite(GROUP, invite, OPTIONS),
			{ send: true, inviteUrl: 'https://chat.whatsapp.com/undefined' },
		],
	];

	it.each(writes)(
		'that took a minute the live state is asked twice, 5 s apart, before the next change: %s',
		async (route, write, body) => {
			const { client, asked } = clientOf({
				[route]: [201, body, MINUTE],
				connectionState: state('connecting'),
				findGroupInfos: [200, { restrict: true }, 5],
			});
			const pause = jest.spyOn(client, 'pause').mockResolvedValue();
			await failureOf(client.inTurn(GROUP, async () => await write(client)));
			expect(await failureOf(client.inTurn(GROUP, async () => await write(client)))).toMatchObject({
				message: "Nothing was sent: the instance isn't connected",
			});
			const [wait = 0] = pause.mock.calls.flat().filter((ms) => ms > 0);
			expect(Math.round(wait / 1000)).toBe(5);
			expect(asked).toEqual([route, 'connectionState', 'connectionState']);
		},
	);

	it('of an instance that is closed says so, and the advice to check comes last, where Sync can leave it out', async () => {
		const { client } = clientOf({
			updateParticipant: [201, { updateParticipants: [] }, MINUTE],
			connectionState: state('close'),
		});
		const { results } = await client.changeParticipants({ ...request, changes: [change] }, OPTIONS);
		expect(results).toMatchObject([
			{ applied: null, message: expect.stringMatching(/isn't connected\. Check the group[^.]*\.$/) },
		]);
	});

	it.each(writes.slice(0, 2))('that came at once it does not: %s', async (route, write, body) => {
		const { client, asked } = clientOf({ [route]: [201, body, 5] });
		for (let i = 0; i < 2; i++) await client.inTurn(GROUP, async () => await write(client));
		expect(asked.filter((one) => one !== 'findGroupInfos')).toEqual([route, route]);
	});

	it('does not ask twice of an instance that was open', async () => {
		const [[route, write, body] = []] = writes;
		if (route === undefined || write === undefined) throw new Error('There is no write');
		const { client, asked } = clientOf({ [route]: [201, body, MINUTE], connectionState: state('open') });
		for (let i = 0; i < 2; i++) await client.inTurn(GROUP, async () => await write(client));
		expect(asked).toEqual([route, 'connectionState', route, 'connectionState']);
	});
});
