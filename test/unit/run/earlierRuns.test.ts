import type { IContextObject } from 'n8n-workflow';
import { EarlierRuns } from '../../../nodes/MessagingGateway/actions/group/sync/earlierRuns';
import type { Identity } from '../../../nodes/MessagingGateway/groups/identity';
import { idOf, members, NOW, plan, rows, rules } from '../groups/sync/example';
import { finished } from '../support';
import { contextWith } from './context';

const [ONE, OTHER, THIRD] = [
	'120363000000000001@g.us',
	'120363000000000002@g.us',
	'120363000000000003@g.us',
] as const;

/** A run of Sync in an execution of which n8n keeps this. */
function runWith(kept: IContextObject): EarlierRuns {
	const { context } = contextWith({}).run;
	return new EarlierRuns({ context: Object.assign(context, { getContext: () => kept }) });
}

/** Notes for a group what so many runs did, one after the other. */
function noteRuns(kept: IContextObject, groupJid: string, amount: number): void {
	for (let run = 1; run <= amount; run++) runWith(kept).note(new Map([[groupJid, `${run} added`]]));
}

describe('what is told of earlier runs of Sync in the execution', () => {
	it.each([
		[0, undefined],
		[1, '1 added'],
		[4, '1 added, then 2 added, then 3 added, then 4 added'],
		[6, '…, then 3 added, then 4 added, then 5 added, then 6 added'],
	])('is what the last of them did to the group: %d', (amount, summary) => {
		const kept = {};
		noteRuns(kept, ONE, amount);

		expect(runWith(kept).sayFor(ONE)).toBe(summary && `Earlier, this execution synced the group: ${summary}`);
	});

	it('is not what this one does', () => {
		const kept = {};
		noteRuns(kept, ONE, 1);
		const run = runWith(kept);
		run.note(new Map([[ONE, 'it may have been changed']]));
		run.note(new Map([[ONE, '2 added']]));

		expect(run.sayFor(ONE)).toBe('Earlier, this execution synced the group: 1 added');
		expect(runWith(kept).sayFor(ONE)).toBe('Earlier, this execution synced the group: 1 added, then 2 added');
	});

	it('is of the group that is asked for, and how many others there were', () => {
		const kept = {};
		noteRuns(kept, ONE, 1);
		noteRuns(kept, OTHER, 2);

		expect(runWith(kept).sayFor(ONE, [ONE, OTHER, THIRD])).toBe(
			'Earlier, this execution synced the group: 1 added (and 1 other group)',
		);
		expect(runWith(kept).sayFor(THIRD, [ONE, OTHER, THIRD])).toBe(
			'Earlier, this execution synced 2 other groups',
		);
	});

	it('holds what runs note that are under way at the same time', () => {
		const kept = {};
		const [first, second] = [runWith(kept), runWith(kept)];
		first.note(new Map([[ONE, '1 added']]));
		second.note(new Map([[OTHER, '2 added']]));

		expect(runWith(kept).sayFor(ONE)).toContain('1 added');
	});
});

describe('the places of a run', () => {
	const PLACES = { add: 50, addAlone: 10, remove: 50 };
	const danWasAsked = ([id]: readonly Identity[]) =>
		id?.digits === idOf('dan') ? { asked: { at: NOW } } : {};
	const lists = ['gil ana dan -eve', 'gilShort dan', 'dan'].map(rows);
	const groups = lists.map((all) => ({
		instance: 'main',
		groupJid: ONE,
		plan: plan(all, members('me** eve'), rules({ recall: danWasAsked })),
	}));
	const takePlaces = (run: EarlierRuns) => {
		run.places = finished(run.placesWith(groups));
	};
	const left = (kept: IContextObject) => {
		const { placed, ...places } = runWith(kept).placesLeft('main', PLACES);
		return { ...places, add: places.add - placed.size };
	};

	it('are taken by each person to add, each time that somebody is asked for alone, and each removal', () => {
		const kept = {};
		takePlaces(runWith(kept));

		expect(left(kept)).toEqual({ add: 48, addAlone: 7, remove: 49 });
	});

	it('are all given back if nothing was sent, however often', () => {
		const kept = {};
		const run = runWith(kept);
		takePlaces(run);
		finished(run.settle(groups, { entries: new Map() }));
		finished(run.settle(groups, { entries: new Map() }));

		expect(left(kept)).toEqual(PLACES);
		expect(run.removedFrom(ONE)).toBe(0);
	});

	it('are the same value as before if nobody was to be sent, or everybody was: others need not plan again', () => {
		const kept = {};
		const run = runWith(kept);
		const before = run.places;
		run.places = finished(run.placesWith([]));
		expect(run.places).toBe(before);
		takePlaces(run);
		const { places } = run;
		finished(run.settle([], { entries: new Map() }));

		expect(run.places).toBe(places);
	});
});
