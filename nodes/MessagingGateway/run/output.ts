import type { IDataObject, INode } from 'n8n-workflow';
import { isRecord, type JsonRecord } from '../common/json';
import { oneName } from '../common/text';
import { keyRedactor } from '../gateway/redact/redactText';

/** Makes a function that finishes output items: it adds the group's name, and redacts the key in all fields. */
export function outputFinisher(node: INode, secrets: Iterable<string>): (json: JsonRecord) => IDataObject {
	const groupName = chosenGroupName(node);
	const redactKey = keyRedactor(secrets);
	return (json) => redactKey(withGroupName(json, groupName)) as IDataObject;
}

/** Finds the name under which the group was chosen from the list. */
export function chosenGroupName({ parameters }: INode): string | undefined {
	const group: unknown = parameters.group;
	if (!isRecord(group) || group.mode !== 'list' || String(group.value).startsWith('=')) return undefined;
	return oneName(group.cachedResultName) || undefined;
}

function withGroupName<T extends JsonRecord>(json: T, groupName: string | undefined): T | JsonRecord {
	if (groupName === undefined || !Object.hasOwn(json, 'groupJid')) return json;
	const others = Object.entries(json).filter(([field]) => field !== 'groupName');
	others.splice(1 + others.findIndex(([field]) => field === 'groupJid'), 0, ['groupName', groupName]);
	return Object.fromEntries(others);
}
