import { applySetting, type Group } from './group';
import { isBusiness } from './instances';
import { participantsOf } from './participants';
import { json, refusal, type Reply } from './reply';
import { unanswered } from './silence';
import { withInstance, type Target } from './target';
import { validateChange, validateGroup, validateSetting } from './validation';

/** An instance without groups says so, on every route about groups. */
export const noGroups = refusal(400, ['Method not available on WhatsApp Business API']);

/** `/group/updateParticipant/{instance}`: 201 with a row per participant, however many of them were refused. */
export function changeMembers(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateChange(request.body, request.query('groupJid'), rules.dropsDevice);
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const outcome = backend.network.change(instance, checked.change);
		if ('rows' in outcome) return json(201, { updateParticipants: outcome.rows });
		return unanswered(target, outcome, {
			refuse: (why) => refusal(400, ['Error updating participants', why]),
			onSilence: json(201, { updateParticipants: [] }),
		});
	});
}

/** `/group/participants/{instance}`: everybody in the group, as far as the generation shows them. */
export function listParticipants(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateGroup(request.body, request.query('groupJid'));
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const refuse = (why: string): Reply => refusal(404, ['No participants', why]);
		const found = backend.network.group(instance, checked.groupJid, 'groupMetadata');
		if ('group' in found) return json(200, { participants: participantsOf(found.group, rules, instance) });
		const onSilence = refuse("TypeError: Cannot read properties of undefined (reading 'attrs')");
		return unanswered(target, found, { refuse, onSilence });
	});
}

const emptyBody: Reply = { ...json(200, ''), text: '' };

/** `/group/findGroupInfos/{instance}`: a group as in the list, with its participants. */
export function findGroup(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateGroup(request.body, request.query('groupJid'));
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const isIgnored = instance.ignoresGroups === true || backend.network.connection(instance) === 'never';
		if (isIgnored && rules.ignoredGroups === 'emptyBody') return emptyBody;
		const refuse = (why: string): Reply => refusal(404, ['Error fetching group', why]);
		const found = backend.network.group(instance, checked.groupJid, 'groupMetadata');
		if ('group' in found) return json(200, withParticipants(found.group, target));
		const onSilence = refuse("TypeError: Cannot read properties of undefined (reading 'attrs')");
		return unanswered(target, found, { refuse, onSilence });
	});
}

/** `/group/updateSetting/{instance}`: 201 and nothing in it, also after a silence. */
export function updateSetting(target: Target): Reply {
	const { backend, request } = target;
	return withInstance(target, (instance) => {
		const checked = validateSetting(request.body, request.query('groupJid'));
		if ('refused' in checked) return checked.refused;
		if (isBusiness(instance)) return noGroups;
		const found = backend.network.group(instance, checked.groupJid, 'groupSettingUpdate');
		if ('group' in found) {
			applySetting(found.group, checked.setting);
			return json(201, {});
		}
		return unanswered(target, found, {
			refuse: (why) => refusal(400, ['Error updating setting', why]),
			onSilence: json(201, {}),
		});
	});
}

const foundedAt = 1_767_225_600;

/** `/group/fetchAllGroups/{instance}`: all groups that the account is in. */
export function listGroups(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const wanted = request.query('getParticipants') ?? '';
		if (wanted === '') return refusal(400, ['The getParticipants needs to be informed in the query']);
		if (wanted !== 'true' && wanted !== 'false') {
			const message = 'getParticipants is not one of enum values: true,false';
			return refusal(400, [{ property: 'getParticipants', message }]);
		}
		if (isBusiness(instance)) return noGroups;
		if (instance.ignoresGroups === true && rules.ignoredGroups === 'emptyBody') return emptyBody;
		const found = backend.network.groups(instance, 'groupFetchAllParticipating');
		if (!('groups' in found))
			return unanswered(target, found, { refuse: refusedList(target), onSilence: json(200, []) });
		const element = wanted === 'true' ? withParticipants : elementOf;
		return json(
			200,
			found.groups.map((group) => element(group, target)),
		);
	});
}

function refusedList({ rules }: Target): (why: string) => Reply {
	if (rules.noGroupList === 'reason') return (why) => refusal(404, ['Error fetching group', why]);
	return (why) =>
		refusal(
			500,
			why.startsWith('TypeError')
				? 'Cannot convert undefined or null to object'
				: why.replace(/^Error: /, ''),
		);
}

function withParticipants(group: Group, target: Target): object {
	return { ...elementOf(group, target), participants: participantsOf(group, target.rules) };
}

function elementOf({ seed, members, admins, creator, settings }: Group, { rules }: Target): object {
	const owner = creator ?? [...admins][0];
	return {
		id: seed.jid,
		subject: seed.subject,
		subjectOwner: owner,
		subjectTime: foundedAt,
		pictureUrl: null,
		size: members.size,
		creation: foundedAt,
		owner,
		...(rules.communities ? { isCommunity: false, isCommunityAnnounce: false } : {}),
		...seed.extra,
		...settings,
	};
}
