import type { IContextObject } from 'n8n-workflow';
import { EarlierRuns } from '../../../nodes/MessagingGateway/actions/group/sync/earlierRuns';
import { executionMemory } from '../../../nodes/MessagingGateway/run/executionMemory';
import { contextWith } from './context';

const MINUTE = 60_000;
const PLACES = { add: 50, addAlone: 10, remove: 50 };

/** What n8n keeps for the node, the last reply of which came so many minutes ago. */
function keptFor(minutes: number): IContextObject {
	return {
		repliedAt: Date.now() - minutes * MINUTE,
		messagesSent: 10,
		sentChanges: { 'remove main': { eve: 40 } },
		removedMembers: { '120363000000000001@g.us': 40 },
		syncedGroups: { '120363000000000001@g.us': ['40 added'] },
		invited: { anna: 1 },
	};
}

function contextOf(kept: IContextObject) {
	const { context } = contextWith({}).run;
	return Object.assign(context, { getContext: () => kept });
}

describe('what a round of an execution knows of the ones before', () => {
	it.each([
		['nothing was sent so far', {}],
		['the last reply came within an hour', keptFor(59)],
	])('is all that is kept if %s', (_, kept) => {
		expect(executionMemory(contextOf({ ...kept }))).toEqual(kept);
	});

	it('is no amount of those that ended more than an hour ago, but whom and which groups they were about', () => {
		const { repliedAt, syncedGroups, invited } = keptFor(61);

		expect(executionMemory(contextOf(keptFor(61)))).toEqual({
			repliedAt: expect.closeTo(Number(repliedAt), -3),
			syncedGroups,
			invited,
		});
	});

	it.each([
		[59, 10, 40],
		[61, 50, 0],
	])(
		'after %d minutes leaves Sync %d places for removals, and %d who were removed',
		(minutes, left, removed) => {
			const earlier = new EarlierRuns({ context: contextOf(keptFor(minutes)) });

			expect(earlier.placesLeft('main', PLACES).remove).toBe(left);
			expect(earlier.removedFrom('120363000000000001@g.us')).toBe(removed);
		},
	);
});
