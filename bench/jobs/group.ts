import { groupParameters } from '../../test/engine/support';
import { upTo } from '../../test/engine/group/people';
import type { Job } from './job';
import { INSTANCE, seedOf } from './seed';

const OWNER = '5511990000001';
/** What gateways take in one request. */
const PER_REQUEST = 50;

const groupJid = (number: number) => `1203630000${String(number).padStart(8, '0')}@g.us`;
const pathOf = (group: string) => `/group/updateParticipant/${INSTANCE}?groupJid=${group}`;

/** How many rows, and for how many groups. */
export interface Rows {
	rows: number;
	groups: number;
}

/** Rows of a sheet, each to be added to one of the groups in turn. */
export function groupJob({ rows, groups }: Rows): Job {
	const jids = upTo(groups).map(groupJid);
	const items = upTo(rows).map((row) => ({
		row,
		name: `Person ${row}`,
		phone: String(447_700_900_000 + row),
		group: groupJid(row % groups),
	}));
	const ofGroup = (jid: string) => items.filter(({ group }) => group === jid).map(({ phone }) => phone);
	return {
		seed: seedOf((_seed, instance) => {
			instance.groups = jids.map((jid) => ({ jid, subject: jid, members: [OWNER], admins: [OWNER] }));
		}),
		items,
		parameters: {
			...groupParameters({ group: groups === 1 ? groupJid(0) : '={{ $json.group }}' }),
		},
		perItem: {
			method: 'PUT',
			path: pathOf('{{ encodeURIComponent($json.group) }}'),
			body: "={{ { action: 'add', participants: [$json.phone] } }}",
		},
		fewest: () =>
			jids.flatMap((jid) =>
				chunks(ofGroup(jid), PER_REQUEST).map((participants) => ({
					method: 'PUT' as const,
					path: pathOf(encodeURIComponent(jid)),
					body: { action: 'add', participants },
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
		isDone: (snapshots) =>
			snapshots.length === groups &&
			snapshots.every(({ groupJid: jid, members }) => {
				const asked = [OWNER, ...ofGroup(jid)].map((phone) => `${phone}@s.whatsapp.net`);
				return members.join() === asked.sort().join();
			}),
	};
}

function chunks<T>(all: T[], size: number): T[][] {
	return upTo(Math.ceil(all.length / size)).map((i) => all.slice(i * size, (i + 1) * size));
}
