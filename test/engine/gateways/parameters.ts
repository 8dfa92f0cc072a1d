import { inPlaces, locator } from '../support';

/** Parameters of Instance → Get Many. */
export function getMany(more: object = {}): object {
	return { resource: 'instance', operation: 'getAll', ...more };
}

/** Parameters of Instance → Get. */
export function getInstance(instance: unknown, more: object = {}): object {
	return { resource: 'instance', operation: 'get', instance: locator(instance, 'name'), ...more };
}

/** Parameters of Bot → Get. */
export function getBot(bot: unknown, instance: unknown = 'main', more: object = {}): object {
	return {
		resource: 'bot',
		operation: 'get',
		instance: locator(instance, 'name'),
		bot: locator(bot, 'id'),
		...more,
	};
}

/** Parameters of Group → Get Many. */
export function getGroups(instance: unknown = 'keeper', more: object = {}): object {
	return { resource: 'group', operation: 'getAll', instance: locator(instance), returnAll: true, ...more };
}

function aboutGroup(operation: string, group: unknown, instance: unknown, more: object): object {
	return { resource: 'group', operation, instance: locator(instance), group: locator(group), ...more };
}

/** Parameters of Group → Get Participants. */
export function getMembers(group: unknown, instance: unknown = 'keeper', more: object = {}): object {
	return aboutGroup('getParticipants', group, instance, { returnAll: true, ...more });
}

/** Parameters of Group → Get Invite Link. */
export function getInviteLink(group: unknown, instance: unknown = 'keeper', more: object = {}): object {
	return aboutGroup('getInviteLink', group, instance, more);
}

/** Makes the parameters of an operation that changes a group itself. */
const writesTo =
	(operation: string) =>
	(
		group: unknown,
		instance: unknown = 'keeper',
		{ options, ...more }: { options?: object; [other: string]: unknown } = {},
	): object =>
		aboutGroup(operation, group, instance, { ...inPlaces({ ...options }), ...more });

/** Parameters of Group → Get. */
export function getGroup(group: unknown, instance: unknown = 'keeper', more: object = {}): object {
	return aboutGroup('get', group, instance, more);
}

/** Parameters of Group → Update. */
export function updateGroup(
	updateFields: object,
	group: unknown,
	instance: unknown,
	more: object = {},
): object {
	return writesTo('update')(group, instance, { updateFields, ...more });
}

/** Parameters of Group → Send Message. */
export function sendMessage(message: unknown, group: unknown, instance: unknown, more: object = {}): object {
	return writesTo('sendMessage')(group, instance, { message, ...more });
}

/** Parameters of Group → Create. */
export function createGroup(
	subject: unknown,
	instance: unknown,
	{ options, ...more }: { options?: object; [other: string]: unknown } = {},
): object {
	const participants = '={{ $json.phone }}';
	return {
		...{ resource: 'group', operation: 'create', instance: locator(instance), subject, participants },
		...{ ...inPlaces({ ...options }), ...more },
	};
}

export const leaveGroup = writesTo('leave');
export const resetInviteLink = writesTo('resetInviteLink');

/** Parameters of Instance → Get QR Code. */
export function getQrCode(instance: unknown, more: object = {}): object {
	return { resource: 'instance', operation: 'getQrCode', instance: locator(instance, 'name'), ...more };
}
