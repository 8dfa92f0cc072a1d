import type { Rules } from './generations';
import type { Group } from './group';
import { toLid } from './jid';
import type { SeedInstance } from './seed';

function roleOf({ admins, creator }: Group, id: string): 'superadmin' | 'admin' | null {
	if (id === creator) return 'superadmin';
	return admins.has(id) ? 'admin' : null;
}

/** What is shown of a member's number, beside an `id` that is hidden. */
function numberOf({ hidden, seed }: Group, number: string | undefined, { hiddenNumber }: Rules): object {
	const given = hidden && seed.withoutNumbers === true ? undefined : number;
	if (hiddenNumber === 'jid') return { jid: given ?? '' };
	return hidden && hiddenNumber === 'phoneNumber' && given !== undefined ? { phoneNumber: given } : {};
}

/**
 * The members of a group as the generation shows them, in the order in which they came.
 * @param instance whose stored contacts have a name and picture; left out, nobody has.
 */
export function participantsOf(group: Group, rules: Rules, instance?: SeedInstance): unknown[] {
	return [...group.members].map(([id, number]) => ({
		id,
		...numberOf(group, number, rules),
		...(rules.lidField ? { lid: toLid(id) } : {}),
		admin: roleOf(group, id),
		...instance?.contacts?.[number ?? id],
	}));
}
