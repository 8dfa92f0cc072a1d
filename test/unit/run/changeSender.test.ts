import { ChangeSender } from '../../../nodes/MessagingGateway/actions/group/applyChanges';
import { changeResult, type ChangeRequest } from '../../../nodes/MessagingGateway/groups/change';
import { Writer } from '../../../nodes/MessagingGateway/run/writer';
import { failureOf, person, requestOf } from '../support';
import { contextWith } from './context';

/** Who a gateway refuses, with whoever is sent with them; `!` breaks a request, `?` gets a reply that names nobody. */
async function sent(requests: string, refused: string, continueOnFail = true) {
	const asked: string[] = [];
	const client = {
		startChanges: () => {},
		inTurn: async (_: object, send: () => Promise<unknown>) => await send(),
		changeParticipants: async ({ changes, participants }: ChangeRequest) => {
			const names = participants.map(({ sentAs }) => sentAs);
			asked.push(names.join(''));
			await Promise.resolve();
			if (names.includes('!')) throw failureOf({ network: 'ETIMEDOUT', route: 'updateParticipants' });
			if (names.some((name) => refused.includes(name)))
				throw failureOf({ status: 400, message: 'bad-request', route: 'updateParticipants' });
			const results = changes.map((change) =>
				changeResult(change, { outcome: 'done', applied: true, message: '' }),
			);
			return { reply: {}, results, isUnnamed: names.includes('?') };
		},
	};
	const { run } = contextWith({}, {}, { continueOnFail, client });
	const options = { timeout: 1000, maxRetries: 0, batchInterval: 0 };
	const sender = new ChangeSender(run, new Writer(run.client, options, []));
	const planned = requests.split(' ').map((names) => requestOf('add', [...names].map(person)));
	for (const request of planned) if (!sender.hasEnded) await sender.send(request);
	const said = planned.map(({ changes }) =>
		changes
			.map((change) => {
				const entry = sender.journal.get(change);
				if (entry === undefined) return '-';
				return 'result' in entry ? entry.result.outcome.charAt(0) : Object(entry.failure).name.charAt(0);
			})
			.join(''),
	);
	return [asked.join(' '), said.join(' ')];
}

describe('group changes (d: done, r: rejected, G: failed, B: not sent, -: not tried)', () => {
	it.each([
		['go as they are planned', 'ab c', '', 'ab c', 'dd d'],
		[
			'refused as a whole go one by one, and so do later ones of the group',
			'abc de',
			'b',
			'abc a b c d e',
			'drd dd',
		],
		['refused one by one are about the group after three', 'abcde fg', 'abcdefg', 'abcde a b c', 'rrrGG BB'],
		['of whom one of the first three was not refused go on', 'abcde', 'bcde', 'abcde a b c d e', 'drrrr'],
		['after a reply that names nobody go one by one', 'a? bcde', 'bcde', 'a? b c d', 'dd rrrB'],
		['of which a request broke go on with the others', 'a! bc', '', 'a! bc', 'GG dd'],
	])('%s', async (_, requests, refused, asked, said) => {
		expect(await sent(requests, refused)).toEqual([asked, said]);
	});

	it('end with the first request that broke, where the run does', async () => {
		expect(await sent('a! bc', '', false)).toEqual(['a!', 'GG --']);
	});
});
