import { groupParameters } from '../../test/engine/support';
import { upTo } from '../../test/engine/group/people';
import type { Call, Job } from './job';
import { GROUP, hasMembers, INSTANCE, phoneOf, seedOfGroup } from './seed';

/** What gateways take in one request. */
const PER_REQUEST = 50;
const PATH = `/group/updateParticipant/${INSTANCE}?groupJid=${encodeURIComponent(GROUP)}`;

/** How many rows. */
export interface Rows {
	rows: number;
	/** Whether they remove somebody and add somebody else in turn, and do not only add. */
	inTurn: boolean;
	/** Whether the expression does more than to name a field, so that n8n has to work it out for each row. */
	isComputed: boolean;
}

/** Rows of a sheet that change the members of a group. */
export function groupJob({ rows, inTurn, isComputed }: Rows): Job {
	const items = upTo(rows).map((row) => ({
		row,
		name: `Person ${row}`,
		phone: phoneOf(row),
		action: inTurn && row % 2 === 0 ? 'remove' : 'add',
	}));
	const phonesTo = (action: string) =>
		items.filter((item) => item.action === action).map((item) => item.phone);
	return {
		seed: seedOfGroup(phonesTo('remove')),
		items,
		parameters: {
			...groupParameters({
				group: GROUP,
				action: inTurn ? '={{ $json.action }}' : 'add',
				participants: isComputed ? '={{ $json.phone.trim() }}' : '={{ $json.phone }}',
			}),
		},
		perItem: {
			method: 'PUT',
			path: PATH,
			body: '={{ { action: $json.action, participants: [$json.phone] } }}',
		},
		fewest: () =>
			['remove', 'add'].flatMap((action) =>
				chunks(phonesTo(action), PER_REQUEST).map((participants): Call => ({
					method: 'PUT',
					path: PATH,
					body: { action, participants },
				})),
			),
		outputs: items.map(({ phone }) => phone),
		answersIn: (reply) => Object(reply).updateParticipants,
		subjectOf: (answer) => {
			const { outcome, participant, updateParticipants } = Object(answer);
			if (outcome === 'done') return participant;
			const { status, jid } = Object(updateParticipants?.[0] ?? answer);
			return status === '200' ? String(jid).split('@')[0] : undefined;
		},
		isDone: (groups) => hasMembers(groups, phonesTo('add')),
	};
}

function chunks<T>(all: T[], size: number): T[][] {
	return upTo(Math.ceil(all.length / size)).map((i) => all.slice(i * size, (i + 1) * size));
}
