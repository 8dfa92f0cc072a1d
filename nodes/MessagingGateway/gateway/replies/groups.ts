import { isRecord, textOf, type JsonRecord } from '../../common/json';
import { isoTimeOf } from '../../common/time';

/** A group of an instance: the reply's element as it came, and what is always in it. */
export interface Group {
	element: JsonRecord;
	id: string;
	subject: string | undefined;
	size: number | undefined;
}

/** Reads the reply to "list groups": `[{id, subject, size, …}]`. @returns `undefined` if the reply is something else */
export function readGroups(reply: unknown): Group[] | undefined {
	if (!Array.isArray(reply)) return undefined;
	const groups = reply.filter(isRecord).flatMap((element): Group[] => {
		const id = textOf(element.id);
		const size = typeof element.size === 'number' ? element.size : undefined;
		return id ? [{ element, id, subject: textOf(element.subject) || undefined, size }] : [];
	});
	return groups.length === reply.length ? groups : undefined;
}

/** Gives a group's fields for Get Many: ten, the most n8n allows for Simplify. */
export function simplifyGroup({ element, id: groupJid }: Group, instance: string): JsonRecord {
	const { subject, size, owner, desc: description, creation, announce, restrict, isCommunity } = element;
	const createdAt = typeof creation === 'number' ? isoTimeOf(creation * 1000) : undefined;
	const about = { subject, size, owner, description, createdAt, announce, restrict, isCommunity };
	const given = Object.entries(about).filter(([, value]) => value !== undefined && value !== null);
	return { instance, groupJid, ...Object.fromEntries(given) };
}
