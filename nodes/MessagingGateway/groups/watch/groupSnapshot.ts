import { isRecord, listOf, textOf } from '../../common/json';
import { distinct, identityOf, identityWithKey } from '../identity';
import { ROLES, type KnownMember } from '../people';
import type { GroupSnapshot } from './participants';

/** Placeholder for an unknown role. */
const NO_ROLE = -1;

/** Writes a snapshot as JSON. It's short, since n8n keeps it with the workflow, and doesn't depend on the members' order. */
export function writeSnapshot({ members, seemedEmptied }: GroupSnapshot): object {
	const sorted = [...members].sort((one, other) => (one.id < other.id ? -1 : 1));
	return { members: sorted.map(writeMember), ...(seemedEmptied && { seemedEmptied }) };
}

/** Writes `[id, role, number, lid, name, other identities]`. Unknown fields are 0, and left out at the end. */
function writeMember({ id, ids, role, number, lid, name }: KnownMember): unknown[] {
	const [own, ofNumber, ofLid] = [id, number, lid].map((text) => identityOf(text)?.key);
	const others = ids.flatMap(({ key }) => (key === own || key === ofNumber || key === ofLid ? [] : key));
	const stored: unknown[] = [
		id,
		role === undefined ? NO_ROLE : ROLES.indexOf(role),
		(ofNumber !== own && number) || 0,
		(lid !== id && lid) || 0,
		name ?? 0,
		others.length > 0 ? others : 0,
	];
	while (stored.at(-1) === 0) stored.pop();
	return stored;
}

/** Reads a snapshot. @returns `undefined` for values in another form than {@link writeSnapshot}'s */
export function readSnapshot(stored: unknown): GroupSnapshot | undefined {
	if (!isRecord(stored) || !Array.isArray(stored.members)) return undefined;
	const members = stored.members.map(readMember);
	if (!members.every((member) => member !== undefined)) return undefined;
	return { members, seemedEmptied: stored.seemedEmptied === true };
}

function readMember(stored: unknown): KnownMember | undefined {
	const [id, roleIndex = 0, number, lid, name, others] = listOf(stored);
	const role = ROLES[Number(roleIndex)];
	if (typeof id !== 'string' || (role === undefined && roleIndex !== NO_ROLE)) return undefined;
	const own = identityOf(id);
	const shown = [number, lid].map((text) => identityOf(textOf(text)));
	const more = listOf(others).map((key) => identityWithKey(textOf(key) ?? ''));
	return {
		id,
		ids: distinct([own, ...shown, ...more]),
		role,
		number: textOf(number) ?? (own?.kind === 'phone' ? own.digits : undefined),
		lid: textOf(lid) ?? (own?.kind === 'hidden' ? id : undefined),
		name: textOf(name),
	};
}
