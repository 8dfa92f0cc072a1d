import { renewInviteCode } from './group';
import { noGroups } from './groups';
import { isBusiness } from './instances';
import { toJid } from './jid';
import { json, refusal, type Reply } from './reply';
import { unanswered } from './silence';
import { withInstance, type Target } from './target';
import { validateGroup, validateInvite } from './validation';

function inviteUrl(code: string | undefined): string {
	return `https://chat.whatsapp.com/${code}`;
}

/** `/group/inviteCode/{instance}`: for an admin only. */
export function getInviteCode(target: Target): Reply {
	const { backend, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateGroup(request.body, request.query('groupJid'));
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const found = backend.network.group(instance, checked.groupJid, 'groupInviteCode');
		if ('group' in found) {
			const { inviteCode } = found.group;
			return json(200, { inviteUrl: inviteUrl(inviteCode), inviteCode });
		}
		return unanswered(target, found, {
			refuse: (why) => refusal(404, ['No invite code', why]),
			onSilence: json(200, { inviteUrl: inviteUrl(undefined) }),
		});
	});
}

/** `/group/revokeInviteCode/{instance}`: for an admin only; after a silence without the code. */
export function revokeInviteCode(target: Target): Reply {
	const { backend, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateGroup(request.body, request.query('groupJid'));
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const found = backend.network.group(instance, checked.groupJid, 'groupRevokeInvite');
		if ('group' in found) {
			renewInviteCode(found.group);
			return json(201, { revoked: true, inviteCode: found.group.inviteCode });
		}
		return unanswered(target, found, {
			refuse: (why) => refusal(404, ['Revoke error', why]),
			onSilence: json(201, { revoked: true }),
		});
	});
}

/**
 * `/group/sendInvite/{instance}`: a message with the invitation to each number in turn, up to the first that is not on
 * the network. Every failure is a 404 without a reason.
 */
export function sendInvite(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateInvite(request.body);
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const { groupJid, description, numbers } = checked.invite;
		const refuse = (): Reply => refusal(404, ['No send invite']);
		const found = backend.network.group(instance, groupJid, 'groupInviteCode');
		if (!('group' in found)) return unanswered(target, found, { refuse });
		const url = inviteUrl(found.group.inviteCode);
		const sent = numbers.every((number) => {
			const to = toJid(number, rules.dropsDevice);
			if (to.endsWith('@lid') && !rules.invitesHiddenIds) return false;
			return backend.network.send({
				instance: instance.instanceName,
				to,
				groupJid,
				text: `${description}\n\n${url}`,
			});
		});
		return sent ? json(200, { send: true, inviteUrl: url }) : refuse();
	});
}

/** `/chat/whatsappNumbers/{instance}`: a row for each number, with the network's form of it. */
export function findNumbers(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const { numbers } = request.body;
		if (!Array.isArray(numbers)) return refusal(400, [['numbers is not of a type(s) array']]);
		if (backend.network.connection(instance) !== 'open')
			return rules.element === 'flat' ? json(400, {}) : refusal(500, 'Connection Closed');
		const rows = numbers.map(String).map((number) => {
			const jid = toJid(number, rules.dropsDevice);
			const known = jid.endsWith('@lid') && !rules.invitesHiddenIds ? undefined : backend.network.find(jid);
			return { exists: known !== undefined, jid: known ?? jid, number };
		});
		return json(200, rows);
	});
}
