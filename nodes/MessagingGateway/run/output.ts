import type { IDataObject, INode } from 'n8n-workflow';
import { isRecord, textOf, type JsonRecord } from '../common/json';
import { keyRedactor } from '../gateway/redact/redactKey';

/**
 * Makes what is done last to the json of every output item, whatever made it: the name of the group is added, and the
 * credential's key is in none of its fields.
 *
 * @param secrets the key, in every form in which it may come back
 */
export function outputFinisher(node: INode, secrets: Iterable<string>): (json: JsonRecord) => IDataObject {
	const groupName = chosenGroupName(node);
	const redactKey = keyRedactor(secrets);
	return (json) => redactKey(withGroupName(json, groupName)) as IDataObject;
}

/** The name under which the group was chosen from the list; `undefined` if it was entered, or comes from an expression. */
export function chosenGroupName({ parameters }: INode): string | undefined {
	const group: unknown = parameters.group;
	if (!isRecord(group) || group.mode !== 'list' || String(group.value).startsWith('=')) return undefined;
	return textOf(group.cachedResultName) || undefined;
}

/** The fields of an output item, with the group's name after its ID. An item that is about no group stays as it is. */
function withGroupName<T extends JsonRecord>(json: T, groupName: string | undefined): T | JsonRecord {
	if (groupName === undefined || !Object.hasOwn(json, 'groupJid')) return json;
	const others = Object.entries(json).filter(([field]) => field !== 'groupName');
	others.splice(1 + others.findIndex(([field]) => field === 'groupJid'), 0, ['groupName', groupName]);
	return Object.fromEntries(others);
}
