import { isBusiness } from './instances';
import { connectionOf } from './network';
import { json, refusal, type Reply } from './reply';
import { withInstance, type Target } from './target';
import { validateChange } from './validation';

const noGroups = refusal(400, ['Method not available on WhatsApp Business API']);

/** `/group/updateParticipant/{instance}`: 201 with a row per participant, however many of them were refused. */
export function changeMembers(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateChange(request.body, request.query('groupJid'), rules.dropsDevice);
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const outcome = backend.network.change(instance, checked.change);
		if ('refused' in outcome) return refusal(400, ['Error updating participants', outcome.refused]);
		if ('rows' in outcome) return json(201, { updateParticipants: outcome.rows });
		return { ...json(201, { updateParticipants: [] }), afterMs: backend.seed.silenceMs ?? rules.silenceMs };
	});
}

const foundedAt = 1_767_225_600;

/**
 * `/group/fetchAllGroups/{instance}`. No recording holds this route: what it says without `getParticipants` or
 * without a connection is a guess.
 */
export function listGroups(target: Target): Reply {
	const { backend, request } = target;
	return withInstance(target, (instance) => {
		const wanted = request.query('getParticipants') ?? '';
		if (wanted === '') return refusal(400, ['The getParticipants needs to be informed in the query']);
		if (isBusiness(instance)) return noGroups;
		if (connectionOf(instance) !== 'open') return refusal(500, 'Cannot convert undefined or null to object');
		const groups = backend.network.groups(instance).map(({ groupJid, subject, members, admins }) => ({
			id: groupJid,
			subject,
			subjectTime: foundedAt,
			pictureUrl: null,
			size: members.length,
			creation: foundedAt,
			owner: instance.owner,
			restrict: false,
			announce: false,
			participants:
				wanted === 'true'
					? members.map((id) => ({ id, admin: admins.includes(id) ? 'admin' : null }))
					: undefined,
		}));
		return json(200, groups);
	});
}
