import type { Action, Outcome } from '../../../nodes/MessagingGateway/groups/outcomes';
import {
	estimateOf,
	failureSummary,
	tallyOf,
	type ItemFailure,
} from '../../../nodes/MessagingGateway/groups/summary';
import { testExamples } from '../support';

const counted = (...pairs: Array<[Outcome, Action | 'invite']>) =>
	tallyOf(pairs.map(([outcome, action]) => ({ outcome, action, applied: true, code: '409' })));

describe('what a run has changed, at a glance', () => {
	it('names what was done by its action, then what was so already, then what was refused', () => {
		expect(
			counted(
				['inviteRequired', 'add'],
				['done', 'add'],
				['unchanged', 'add'],
				['done', 'remove'],
				['done', 'add'],
				['unchanged', 'add'],
			),
		).toBe('2 added, 1 removed, 2 were members already, 1 needs an invite');
	});

	it('counts actions together that an outcome has no words of their own for', () => {
		expect(counted(['blocked', 'add'], ['blocked', 'promote'])).toBe('2 blocked');
	});

	it.each([
		['inviteRequired', 'add', '1 needs an invite', '2 need an invite'],
		['groupFull', 'add', "1 didn't fit in the group", "2 didn't fit in the group"],
		['done', 'promote', '1 promoted', '2 promoted'],
		['unchanged', 'add', '1 was a member already', '2 were members already'],
		['unchanged', 'promote', '1 unchanged', '2 unchanged'],
		['planned', 'promote', '1 would be promoted', '2 would be promoted'],
		['planned', 'demote', '1 would be demoted', '2 would be demoted'],
		['unchanged', 'invite', '1 was in the group', '2 were in the group'],
		['left', 'invite', '1 left', '2 left'],
	] as const)('counts %s after %s in plain words: %s, %s', (outcome, action, one, several) => {
		const pair: [Outcome, typeof action] = [outcome, action];
		expect([counted(pair), counted(pair, pair)]).toEqual([one, several]);
	});

	it("doesn't say of several that they were members before where it isn't known who of them was added", () => {
		const added = { outcome: 'unchanged', action: 'add', applied: true } as const;
		const removed = { ...added, action: 'remove' } as const;

		expect(tallyOf([added, removed, added, { ...added, code: '409' }])).toBe(
			"2 are in the group, 1 isn't in the group, 1 was a member already",
		);
	});

	it('counts apart who was invited before, and who may have been', () => {
		const invited = { outcome: 'alreadyInvited', action: 'invite' } as const;

		expect(tallyOf([true, null, true].map((applied) => ({ ...invited, applied })))).toBe(
			'2 were invited before, 1 may have been invited before',
		);
	});
});

describe('why items failed, at a glance', () => {
	/** A reason for each item, and in brackets its state, if not `failed`. */
	const failures = (all: string[]) =>
		all.map((text): ItemFailure => {
			const [, reason = '', state = 'failed'] = /^(.*?)(?: \((unsent|unknown)\))?$/.exec(text) ?? [];
			return { reason, state: state as ItemFailure['state'] };
		});

	testExamples(
		{
			'nothing if none did': ' → ',
			'the reason': "Couldn't connect. → 1 failed: couldn't connect",
			'the reason alone, where nothing was sent for want of an earlier one':
				'It stopped (unsent) → 1 failed: it stopped',
			'one reason for several': 'It stopped (unsent) | It stopped → 2 failed: it stopped',
			'that there are others':
				'It stopped | It is gone | It hangs → 3 failed: it stopped (and 2 other reasons)',
			'what is not known apart from one that was not sent':
				"It hangs (unknown) | It stopped (unsent) → 1 failed: it hangs, not known whether carried out | 1 wasn't sent: it stopped",
			'what is not known apart from several that were not sent':
				"It hangs (unknown) | It is shut (unsent) | It is shut (unsent) → 1 failed: it hangs, not known whether carried out | 2 weren't sent: it is shut",
			'what is not known apart from what failed':
				'It hangs (unknown) | No number | It stopped (unsent) → 1 failed: it hangs, not known whether carried out | 2 failed: no number (and 1 other reason)',
		},
		' → ',
		([texts = '', expected = '']) => {
			const inTurn = (all: string) => all.split(' | ').filter(Boolean);
			expect(failureSummary(failures(inTurn(texts)))).toEqual(inTurn(expected));
		},
	);
});

test.each([
	[0, 1000, 'Nothing would be sent'],
	[1, 1000, 'It would be 1 request. To do it, turn off Dry Run'],
	[20, 1000, 'It would be 20 requests and take at least 19 seconds. To do it, turn off Dry Run'],
	[121, 1000, 'It would be 121 requests and take at least 2 minutes. To do it, turn off Dry Run'],
])('%d requests with pauses of %d ms: %s', (requests, interval, words) => {
	expect(estimateOf(requests, interval)).toBe(words);
});
