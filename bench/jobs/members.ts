import { upTo } from '../../test/engine/group/people';
import type { Call, Job } from './job';
import { GROUP, hasMembers, INSTANCE, OWNER, phoneOf, seedOfGroup } from './seed';

const QUERY = `groupJid=${encodeURIComponent(GROUP)}`;
const LIST: Call = { method: 'GET', path: `/group/participants/${INSTANCE}?${QUERY}` };
const PLACE = {
	instance: { __rl: true, mode: 'name', value: INSTANCE },
	group: { __rl: true, mode: 'id', value: GROUP },
} as const;

/** How many members the group has, the own account among them. */
export interface Members {
	members: number;
}

/** A sheet that says of every member of a group that they should be in it, so that nothing is to be done. */
export function syncJob({ members }: Members): Job {
	const others = upTo(members - 1).map(phoneOf);
	const all = [OWNER, ...others];
	return {
		seed: seedOfGroup(others),
		items: all.map((phone, row) => ({ row, name: `Person ${row}`, phone })),
		parameters: {
			resource: 'group',
			operation: 'syncParticipants',
			...PLACE,
			participants: '={{ $json.phone }}',
			shouldBeMember: true,
			unlisted: 'remove',
			options: { batchInterval: 0 },
		},
		fewest: () => [LIST],
		outputs: all,
		answersIn: (reply) => Object(reply).participants,
		subjectOf: (answer) => {
			const { outcome, participant, id } = Object(answer);
			return outcome === 'unchanged' ? participant : String(id).split('@')[0];
		},
		isDone: (groups) => hasMembers(groups, others),
	};
}

/** A group that the trigger watches, and who joins it between two polls. */
export interface Watched extends Members {
	joins: 0 | 1;
}

/** A group that somebody may join between two polls of the trigger. */
export function watchJob({ members, joins }: Watched): Job {
	const before = upTo(members - 1 - joins).map(phoneOf);
	const joined = upTo(joins).map(() => phoneOf(members));
	const event: Call = {
		method: 'PUT',
		path: `/group/updateParticipant/${INSTANCE}?${QUERY}`,
		body: { action: 'add', participants: joined },
	};
	return {
		seed: seedOfGroup(before),
		items: [],
		parameters: { event: 'participantsChanged', ...PLACE, changes: ['joined', 'left'] },
		poll: { event: joins === 0 ? undefined : event },
		fewest: () => [LIST],
		outputs: joined,
		answersIn: (reply) =>
			[...Object(Object(reply).participants)].filter(({ id }) =>
				joined.includes(String(id).split('@')[0] ?? ''),
			),
		subjectOf: (answer) => {
			const { change, participant, id } = Object(answer);
			return change === 'joined' ? participant : String(id).split('@')[0];
		},
		isDone: (groups) => hasMembers(groups, [...before, ...joined]),
	};
}
