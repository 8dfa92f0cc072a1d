import { isRecord, listOf, recordOf, textOf, type JsonRecord } from '../../common/json';
import { LONGEST, oneName, shownText } from '../../common/text';
import { pastTimeOf } from '../../common/time';
import type { Member } from '../../groups/people';
import { readMembers } from './members';

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

/** Reads the reply to "list groups": `[{id, subject, size, …}]`. @returns `undefined` for anything else */
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

/** Reads the reply to "find group infos": an element of that list, with its participants. */
export const readGroup = (reply: unknown): Group | undefined =>
	isRecord(reply) ? readGroups([reply])?.[0] : undefined;

/** Gives ten fields, n8n's most for Simplify. An AI agent gets no description, since members may write it. */
export function simplifyGroup(
	{ element, id: groupJid }: Group,
	instance: string,
	isForModel = false,
): JsonRecord {
	const { owner, creation, announce, restrict, isCommunity } = element;
	const size = element.size ?? (listOf(element.participants).length || undefined);
	const subject = shownText(element.subject, LONGEST.subject);
	const description = isForModel ? undefined : shownText(element.desc, LONGEST.description, true);
	const createdAt = typeof creation === 'number' ? pastTimeOf(creation * 1000) : undefined;
	const about = { subject, size, owner, description, createdAt, announce, restrict, isCommunity };
	const given = Object.entries(about).filter(([, value]) => value !== undefined && value !== null);
	return { instance, groupJid, ...Object.fromEntries(given) };
}

/** Gives the fields that Update sets, if they're shown. A group without a description has none at all. */
export function shownFields({ element: { subject, desc, announce, restrict } }: Group) {
	const whoIn = (field: unknown) =>
		typeof field === 'boolean' ? (field ? 'admins' : 'everyone') : undefined;
	return {
		subject: textOf(subject),
		description: textOf(desc) ?? '',
		sendMessages: whoIn(announce),
		editInfo: whoIn(restrict),
	};
}

/** A group, and who is in it. */
export interface GroupWithMembers extends Group {
	/** Left out if the reply doesn't tell. */
	members?: Member[] | undefined;
}

/** Reads a group with its members (CodeChat: in `groupMetadata`). Rows with an error are no members. */
export function readGroupWithMembers(reply: unknown): GroupWithMembers | undefined {
	const group = readGroup(recordOf(reply).groupMetadata ?? reply);
	if (group === undefined) return undefined;
	const rows = listOf(group.element.participants).filter((row) => !recordOf(row).error);
	const members = rows.length > 0 ? readMembers({ participants: rows }) : undefined;
	return { ...group, size: members?.length ?? group.size, members };
}

/** Reads the reply to "create group". @returns `undefined` for anything else */
export function readCreatedGroup(reply: unknown): GroupWithMembers | undefined {
	const group = readGroupWithMembers(reply);
	return group?.id.endsWith('@g.us') ? group : undefined;
}
