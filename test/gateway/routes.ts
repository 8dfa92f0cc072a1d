import { findBot, listBots } from './bots';
import { generations, type Rules } from './generations';
import { connect, getConnectionState } from './connection';
import {
	changeMembers,
	createGroup,
	findGroup,
	leaveGroup,
	listGroups,
	listParticipants,
	sendText,
	toggleEphemeral,
	updateDescription,
	updatePicture,
	updateSetting,
	updateSubject,
} from './groups';
import { listInstances } from './instances';
import { findNumbers, getInviteCode, revokeInviteCode, sendInvite } from './invites';
import { findMessages } from './messages';
import { refusal, type Reply } from './reply';
import type { GatewayRequest } from './request';
import type { Backend, Target } from './target';
import { answerAsWhatsMiau } from './whatsmiau';

interface Route {
	method: string;
	path: readonly string[];
	answer(target: Target): Reply;
}

function routesOf({ changeMethod, bots, findsMessages }: Rules): Route[] {
	const always: Route[] = [
		{ method: 'GET', path: ['instance', 'fetchInstances'], answer: listInstances },
		{ method: changeMethod, path: ['group', 'updateParticipant', ':instance'], answer: changeMembers },
		{ method: changeMethod, path: ['group', 'updateSetting', ':instance'], answer: updateSetting },
		{ method: changeMethod, path: ['group', 'revokeInviteCode', ':instance'], answer: revokeInviteCode },
		{ method: changeMethod, path: ['group', 'updateGroupSubject', ':instance'], answer: updateSubject },
		{
			method: changeMethod,
			path: ['group', 'updateGroupDescription', ':instance'],
			answer: updateDescription,
		},
		{ method: changeMethod, path: ['group', 'updateGroupPicture', ':instance'], answer: updatePicture },
		{ method: changeMethod, path: ['group', 'toggleEphemeral', ':instance'], answer: toggleEphemeral },
		{ method: 'POST', path: ['group', 'create', ':instance'], answer: createGroup },
		{ method: 'DELETE', path: ['group', 'leaveGroup', ':instance'], answer: leaveGroup },
		{ method: 'POST', path: ['message', 'sendText', ':instance'], answer: sendText },
		{ method: 'GET', path: ['group', 'findGroupInfos', ':instance'], answer: findGroup },
		{ method: 'GET', path: ['group', 'fetchAllGroups', ':instance'], answer: listGroups },
		{ method: 'GET', path: ['group', 'participants', ':instance'], answer: listParticipants },
		{ method: 'GET', path: ['group', 'inviteCode', ':instance'], answer: getInviteCode },
		{ method: 'POST', path: ['group', 'sendInvite', ':instance'], answer: sendInvite },
		{ method: 'POST', path: ['chat', 'whatsappNumbers', ':instance'], answer: findNumbers },
		{ method: 'GET', path: ['instance', 'connect', ':instance'], answer: connect },
		{ method: 'GET', path: ['instance', 'connectionState', ':instance'], answer: getConnectionState },
	];
	if (findsMessages)
		always.push({ method: 'POST', path: ['chat', 'findMessages', ':instance'], answer: findMessages });
	if (bots === undefined) return always;
	return [
		...always,
		{ method: 'GET', path: ['openai', 'find', ':instance'], answer: (target) => listBots(target, bots) },
		{
			method: 'GET',
			path: ['openai', bots.route, ':bot', ':instance'],
			answer: (target) => findBot(target, bots),
		},
	];
}

function fits({ method, path }: Route, request: GatewayRequest): boolean {
	const fitsAt = (index: number, part: string): boolean => {
		const segment = request.segments[index] ?? '';
		return part.startsWith(':') ? segment !== '' : segment === part;
	};
	return (
		method === request.method &&
		path.length === request.segments.length &&
		path.every((part, index) => fitsAt(index, part))
	);
}

/**
 * The gateway's reply to a request, and the change of its state that goes with it.
 * No route: 404 with `Cannot PUT /path?query`, whatever the key is.
 */
export function answer(backend: Backend, request: GatewayRequest): Reply {
	const { generation } = backend;
	if (generation === 'whatsmiau') return answerAsWhatsMiau(backend, request);
	const rules = generations[generation];
	const route = routesOf(rules).find((one) => fits(one, request));
	if (route === undefined) return refusal(404, [`Cannot ${request.method} ${request.target}`]);
	const parameter = (name: string): string =>
		decodeURIComponent(request.segments[route.path.indexOf(name)] ?? '');
	return route.answer({ backend, rules, request, parameter });
}
