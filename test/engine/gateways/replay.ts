import type { Recorded } from '../../recordings';
import { routeOf } from './recorded';
import { routeMissing, type Answer, type Asked } from './server';

const WHATSMIAU = '1.0.0';
/** What WhatsMiau says of a route that it doesn't have. */
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

/** The methods that the node uses for a route. */
const nodeMethods: Readonly<Record<string, string[]>> = {
	'group/updateParticipant': ['PUT', 'POST'],
	'group/updateSetting': ['PUT', 'POST'],
	'group/revokeInviteCode': ['PUT', 'POST'],
	'group/updateGroupSubject': ['PUT', 'POST'],
	'group/updateGroupDescription': ['PUT', 'POST'],
	'group/updateGroupPicture': ['PUT', 'POST'],
	'group/toggleEphemeral': ['PUT', 'POST'],
	'instance/fetchInstances': ['GET'],
	'openai/find': ['GET'],
	'openai/fetch': ['GET'],
	'group/participants': ['GET'],
	'group/fetchAllGroups': ['GET'],
	'group/inviteCode': ['GET'],
	'group/sendInvite': ['POST'],
	'instance/connect': ['GET'],
};

/** Whether a server that plays this recording has the route in this form. */
function isPlayed(recorded: Recorded, method: string, path: string): boolean {
	const route = routeOf(recorded);
	const { method: recordedMethod } = recorded.request;
	const otherForm = nodeMethods[route]?.includes(recordedMethod) === true && recordedMethod !== method;
	return path.startsWith(`/${route}`) && !otherForm;
}

/**
 * What the recorded gateway says: its reply to the recorded form of the route, and of every other form that it has
 * no such route.
 */
export function played(recorded: Recorded): (asked: Asked) => Answer {
	const missing = recorded.version === WHATSMIAU ? () => NOT_FOUND : routeMissing;
	return (asked) => (isPlayed(recorded, asked.method, asked.path) ? recorded.response : missing(asked));
}
