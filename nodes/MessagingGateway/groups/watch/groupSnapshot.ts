import { isRecord, listOf, textOf } from '../../common/json';
import { mapInSteps, type Steps } from '../../common/steps';
import { distinct, identityOf, identityWithKey } from '../identity';
import { ROLES, type KnownMember } from '../member';
import type { GroupSnapshot } from './participants';

/** A snapshot as JSON, short, since n8n keeps it with the workflow; the same whatever order the members are listed in. */
export function* writeSnapshot({ members, seemedEmptied }: GroupSnapshot): Steps<object> {
	const sorted = [...members].sort((one, other) => (one.id < other.id ? -1 : 1));
	return { members: yield* mapInSteps(sorted, writeMember), ...(seemedEmptied && { seemedEmptied }) };
}

/** Stands for a role that the gateway doesn't tell. */
const UNKNOWN_ROLE = -1;

/** `[id, role, number, lid, name, other identities]`; what isn't known is 0, and left out at the end. */
function writeMember({ id, ids, role, number, lid, name }: KnownMember): unknown[] {
	const [own, ofNumber, ofLid] = [id, number, lid].map((one) => identityOf(one)?.key);
	const others = ids.flatMap(({ key }) => (key === own || key === ofNumber || key === ofLid ? [] : key));
	const stored: unknown[] = [
		id,
		role === undefined ? UNKNOWN_ROLE : ROLES.indexOf(role),
		(ofNumber !== own && number) || 0,
		(lid !== id && lid) || 0,
		name ?? 0,
		others.length > 0 ? others : 0,
	];
	while (stored.at(-1) === 0) stored.pop();
	return stored;
}

/** @returns `undefined` for what {@link writeSnapshot} didn't give */
export function* readSnapshot(stored: unknown): Steps<GroupSnapshot | undefined> {
	if (!isRecord(stored) || !Array.isArray(stored.members)) return undefined;
	const members = yield* mapInSteps(stored.members, readMember);
	if (!members.every((member) => member !== undefined)) return undefined;
	return { members, seemedEmptied: stored.seemedEmptied === true };
}

function readMember(stored: unknown): KnownMember | undefined {
	const [id, role = 0, number, lid, name, others] = listOf(stored);
	const known = ROLES[Number(role)];
	if (typeof id !== 'string' || (known === undefined && role !== UNKNOWN_ROLE)) return undefined;
	const own = identityOf(id);
	const shown = [number, lid].map((one) => identityOf(textOf(one)));
	const more = listOf(others).map((key) => identityWithKey(textOf(key) ?? ''));
	return {
		id,
		ids: distinct([own, ...shown, ...more]),
		role: known,
		number: textOf(number) ?? (own?.kind === 'phone' ? own.digits : undefined),
		lid: textOf(lid) ?? (own?.kind === 'hidden' ? id : undefined),
		name: textOf(name),
	};
}
