import { isRecord, recordOf, textOf, type JsonRecord } from '../../common/json';
import { Problem } from '../../common/problem';
import { pastTimeOf } from '../../common/time';
import { isErrorBody } from './errorBody';

export interface Instance {
	/** The list element as it came, e.g. `{instance: {…}}`, and the record inside it. */
	element: JsonRecord;
	record: JsonRecord;
	name: string;
	id: string | undefined;
	/** The JID of the account that it is connected to. */
	owner: string | undefined;
	/** As the gateway stored it last, e.g. `open`, `close` or `connecting`. */
	status: string | undefined;
}

/** The published name of each field, and its name in generation 2 (2.2.3 and 2.3.6). */
const INSTANCE_FIELDS = [
	['instanceName', 'name'],
	['instanceId', 'id'],
	['status', 'connectionStatus'],
	['owner', 'ownerJid'],
	['profileName', 'profileName'],
	['profilePictureUrl', 'profilePicUrl'],
	['profileStatus', 'profileStatus'],
	['serverUrl', 'serverUrl'],
	['apikey', 'token'],
	['integration', 'integration'],
] as const;

/**
 * Reads the reply to "list instances": a list of `{instance}` (published, 1.8.2), a flat list (2.2.3, 2.3.6),
 * one `{instance}` (1.8.2 by name), `null` or an empty list for none. @returns `undefined` for anything else
 */
export function readInstances(reply: unknown): Instance[] | undefined {
	if (reply === null) return [];
	const instances = (Array.isArray(reply) ? reply : [reply]).map(toInstance);
	return instances.every((instance) => instance !== undefined) ? instances : undefined;
}

/** Refuses a list that doesn't say any status, as that of WhatsMiau. @throws Problem */
export function requireStatus(instances: readonly Instance[]): void {
	if (instances.length === 0 || instances.some(({ status }) => status !== undefined)) return;
	throw new Problem(
		"The gateway's list of instances doesn't say their status",
		'Instance: Get and a trigger with Instances: One ask for that of one instance',
	);
}

function toInstance(element: unknown): Instance | undefined {
	if (!isRecord(element)) return undefined;
	const record = isRecord(element.instance) ? element.instance : element;
	const name = textOf(record.instanceName) ?? textOf(record.name);
	// Many things have a name.
	const isInstance = MARKS.some((field) => Object.hasOwn(record, field));
	if (name === undefined || !isInstance) return undefined;
	return {
		element,
		record,
		name,
		id: textOf(record.instanceId) ?? textOf(record.id),
		owner: textOf(record.owner) ?? textOf(record.ownerJid),
		status: commonState(textOf(record.status) || textOf(record.connectionStatus)),
	};
}

/** The fields that an instance has besides its name: an ID, a status or a key. */
const MARKS = ['instanceId', 'id', 'status', 'connectionStatus', 'apikey', 'token'];

/** Reads the reply to "connection state": `{instance: {state}}`, `status` or not wrapped; in lower case. */
export function readConnectionState(reply: unknown): string | undefined {
	const outer = recordOf(reply);
	const states = [recordOf(outer.instance), outer].flatMap(({ state, status }) => [state, status]);
	return commonState(states.map(textOf).find(Boolean)?.toLowerCase());
}

/** Gives the usual word for a state; `undefined` for none. */
const commonState = (state: string | undefined): string | undefined =>
	(state && OTHER_STATES.get(state.toLowerCase())) || state || undefined;

/** The words of WhatsMiau and CodeChat for states. */
const OTHER_STATES = new Map([
	['online', 'open'],
	['offline', 'close'],
	['closed', 'close'],
	['qr-code', 'connecting'],
]);

/** Gives an instance's fields under their published names, then the reason for a lost connection. */
export function simplifyInstance({ record, status }: Pick<Instance, 'record' | 'status'>): JsonRecord {
	const simplified: JsonRecord = {};
	// Generation 2 says null where the published interface leaves a field out, but for an account's picture.
	const connected = typeof (record.owner ?? record.ownerJid) === 'string';
	for (const [published, other] of INSTANCE_FIELDS) {
		const mayBeNull = published === 'profilePictureUrl' && connected;
		if (published !== other && Object.hasOwn(record, published)) simplified[published] = record[published];
		else if (Object.hasOwn(record, other) && (record[other] !== null || mayBeNull))
			simplified[published] = record[other];
	}
	if (status !== undefined) simplified.status = status;
	if (typeof simplified.integration === 'string')
		simplified.integration = { integration: simplified.integration };
	return Object.assign(simplified, disconnectionOf(record, status));
}

/** The meaning of codes after which a gateway doesn't connect again by itself (2.3.6). */
const DISCONNECTION_REASONS = new Map([
	['401', 'loggedOut'],
	['402', 'restricted'],
	['403', 'restricted'],
]);

/** Says why and when an instance lost its connection. Both are stale once it has connected again. */
function disconnectionOf(record: JsonRecord, status: string | undefined): JsonRecord {
	const { disconnectionReasonCode: code, disconnectionAt } = record;
	if (status === undefined || status === 'open') return {};
	const reason = typeof code === 'number' ? String(code) : textOf(code);
	const disconnectedAt = pastTimeOf(textOf(disconnectionAt) ?? NaN);
	return {
		...(reason && { disconnectionReason: DISCONNECTION_REASONS.get(reason) ?? reason }),
		...(disconnectedAt && { disconnectedAt }),
	};
}

export interface QrCode {
	status: 'open' | 'connecting';
	/** A PNG in base64; missing as long as the network has sent no code. */
	picture?: string | undefined;
	pairingCode?: string | undefined;
}

const PNG = /^data:image\/png;base64,([a-z0-9+/=]+)$/i;

/** Reads the reply to "connect instance". @returns `undefined` for anything else */
export function readQrCode(reply: unknown): QrCode | undefined {
	if (!isRecord(reply) || isErrorBody(reply)) return undefined;
	if (isRecord(reply.instance)) {
		const state = textOf(reply.instance.state);
		return state === undefined ? undefined : { status: state === 'open' ? state : 'connecting' };
	}
	if (reply.connected === true) return { status: 'open' };
	if (!['base64', 'code', 'count', 'pairingCode'].some((field) => field in reply)) return undefined;
	const picture = PNG.exec(textOf(reply.base64) ?? '')?.[1];
	return { status: 'connecting', picture, pairingCode: textOf(reply.pairingCode) || undefined };
}
