import { renewInviteCode } from './group';
import { withGroup } from './groups';
import { toJid } from './jid';
import { json, refusal, type Reply } from './reply';
import { withInstance, type Target } from './target';

function inviteUrl(code: string | undefined): string {
	return `https://chat.whatsapp.com/${code}`;
}

/** `/group/inviteCode/{instance}`: for an admin only. */
export function getInviteCode(target: Target): Reply {
	const refuse = (why: string): Reply => refusal(404, ['No invite code', why]);
	const onSilence = json(200, { inviteUrl: inviteUrl(undefined) });
	return withGroup(target, 'groupInviteCode', { refuse, onSilence }, ({ inviteCode }) =>
		json(200, { inviteUrl: inviteUrl(inviteCode), inviteCode }),
	);
}

/** `/group/revokeInviteCode/{instance}`: for an admin only; after a silence without the code. */
export function revokeInviteCode(target: Target): Reply {
	const refuse = (why: string): Reply => refusal(404, ['Revoke error', why]);
	const onSilence = json(201, { revoked: true });
	return withGroup(target, 'groupRevokeInvite', { refuse, onSilence }, (group) => {
		renewInviteCode(group);
		return json(201, { revoked: true, inviteCode: group.inviteCode });
	});
}

/**
 * `/group/sendInvite/{instance}`: a message with the invitation to each number in turn, up to the first that is not on
 * the network. Every failure is a 404 without a reason.
 */
export function sendInvite(target: Target): Reply {
	const { backend, rules, request } = target;
	const { description, numbers } = request.body;
	const refuse = (): Reply => refusal(404, ['No send invite']);
	return withGroup(target, 'groupInviteCode', { refuse }, ({ seed, inviteCode }, { instanceName }) => {
		const url = inviteUrl(inviteCode);
		const sent = [numbers].flat().every((number) => {
			const to = toJid(String(number));
			if (to.endsWith('@lid') && !rules.invitesHiddenIds) return false;
			const text = `${description}\n\n${url}`;
			return backend.network.send({ instance: instanceName, to, groupJid: seed.jid, text });
		});
		return sent ? json(200, { send: true, inviteUrl: url }) : refuse();
	});
}

/** `/chat/whatsappNumbers/{instance}`: a row for each number, with the network's form of it. */
export function findNumbers(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const { numbers } = request.body;
		if (backend.network.connection(instance) !== 'open')
			return rules.element === 'flat' ? json(400, {}) : refusal(500, 'Connection Closed');
		const rows = [numbers].flat().map((number) => {
			const jid = toJid(String(number));
			const known = jid.endsWith('@lid') && !rules.invitesHiddenIds ? undefined : backend.network.find(jid);
			return { exists: known !== undefined, jid: known ?? jid, number };
		});
		return json(200, rows);
	});
}
