import { isRecord, textOf, type JsonRecord } from '../../common/json';
import { oneName } from '../../common/text';
import { pastTimeOf } from '../../common/time';

/** A group of an instance: the reply's element as it came, and what is read of it. */
export interface Group {
	element: JsonRecord;
	id: string;
	/** In one line. */
	subject: string | undefined;
	size: number | undefined;
	isCommunity: boolean;
	/** The ID of the community that it has the announcements of; empty if that isn't told. */
	announcementsOf: string | undefined;
}

/** Reads the reply to "list groups": `[{id, subject, size, …}]`. @returns `undefined` if the reply is something else */
export function readGroups(reply: unknown): Group[] | undefined {
	if (!Array.isArray(reply)) return undefined;
	const groups = reply.filter(isRecord).flatMap((element): Group[] => {
		const id = textOf(element.id);
		const { size, isCommunity, isCommunityAnnounce, linkedParent } = element;
		const group = {
			element,
			subject: oneName(element.subject) || undefined,
			size: typeof size === 'number' ? size : undefined,
			isCommunity: isCommunity === true,
			announcementsOf: isCommunityAnnounce === true ? (textOf(linkedParent) ?? '') : undefined,
		};
		return id ? [{ id, ...group }] : [];
	});
	return groups.length === reply.length ? groups : undefined;
}

/** Gives a group's fields for Get Many: ten, the most n8n allows for Simplify. */
export function simplifyGroup({ element, id: groupJid }: Group, instance: string): JsonRecord {
	const { size, owner, desc: description, creation, announce, restrict, isCommunity } = element;
	const subject = oneName(element.subject);
	const createdAt = typeof creation === 'number' ? pastTimeOf(creation * 1000) : undefined;
	const about = { subject, size, owner, description, createdAt, announce, restrict, isCommunity };
	const given = Object.entries(about).filter(([, value]) => value !== undefined && value !== null);
	return { instance, groupJid, ...Object.fromEntries(given) };
}
