import { isRecord, textOf, type JsonRecord } from '../../common/json';

/** A group of an instance: the reply's element as it came, and what is always in it. */
export interface Group {
	element: JsonRecord;
	/** The group's JID. */
	id: string;
	subject: string | undefined;
	/** Number of members. */
	size: number | undefined;
}

/**
 * Reads the reply to "list groups": `[{id, subject, size, …}]` on all generations.
 *
 * @returns the groups in the order of the reply; `undefined` if the reply is something else
 */
export function readGroups(reply: unknown): Group[] | undefined {
	if (!Array.isArray(reply)) return undefined;
	const groups = reply.map(toGroup);
	return groups.every((group) => group !== undefined) ? groups : undefined;
}

function toGroup(element: unknown): Group | undefined {
	if (!isRecord(element)) return undefined;
	const id = textOf(element.id);
	const size = typeof element.size === 'number' ? element.size : undefined;
	return id ? { element, id, subject: textOf(element.subject) || undefined, size } : undefined;
}

/** The name in the output, and the gateway's. With the instance and the ID they are ten, the most n8n allows for Simplify. */
const GROUP_FIELDS = [
	['subject', 'subject'],
	['size', 'size'],
	['owner', 'owner'],
	['description', 'desc'],
	['createdAt', 'creation'],
	['announce', 'announce'],
	['restrict', 'restrict'],
	['isCommunity', 'isCommunity'],
] as const;

/** The group's fields as Get Many gives them, those that the gateway gave; dates are ISO 8601, UTC. */
export function simplifyGroup({ element, id }: Group, instance: string): JsonRecord {
	const simplified: JsonRecord = { instance, groupJid: id };
	for (const [name, field] of GROUP_FIELDS) {
		const value = name === 'createdAt' ? isoTimeOf(element[field]) : element[field];
		if (value !== undefined && value !== null) simplified[name] = value;
	}
	return simplified;
}

/** @param seconds since 1970 */
function isoTimeOf(seconds: unknown): string | undefined {
	const date = new Date(typeof seconds === 'number' ? seconds * 1000 : NaN);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
