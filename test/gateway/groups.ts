import { applySetting, type Change, type Group } from './group';
import { isBusiness } from './instances';
import { toGroupJid, toJid } from './jid';
import type { GroupCall } from './network';
import { participantsOf } from './participants';
import { json, refusal, type Reply } from './reply';
import type { SeedInstance } from './seed';
import { unanswered, type Failing } from './silence';
import { withInstance, type Target } from './target';

/** An instance without groups says so, on every route about groups. */
const noGroups = refusal(400, ['Method not available on WhatsApp Business API']);

/** Goes on with an instance that has groups. */
function withGroups(target: Target, goOn: (instance: SeedInstance) => Reply): Reply {
	return withInstance(target, (instance) => (isBusiness(instance) ? noGroups : goOn(instance)));
}

/** The group that a request is about: one in the body goes before the one in the query. */
function groupJidOf({ request: { body, query } }: Target): string {
	return toGroupJid(String(body.groupJid ?? query('groupJid') ?? ''));
}

/** Goes on with the group that a request is about, if the network gives it for this call. */
export function withGroup(
	target: Target,
	call: GroupCall,
	failing: Failing,
	goOn: (group: Group, instance: SeedInstance) => Reply,
): Reply {
	return withGroups(target, (instance) => {
		const found = target.backend.network.group(instance, groupJidOf(target), call);
		return 'group' in found ? goOn(found.group, instance) : unanswered(target, found, failing);
	});
}

/** `/group/updateParticipant/{instance}`: 201 with a row per participant, however many of them were refused. */
export function changeMembers(target: Target): Reply {
	const { backend, request } = target;
	return withGroups(target, (instance) => {
		const { action, participants }: Change = Object(request.body);
		const change = { groupJid: groupJidOf(target), action, participants: participants.map(toJid) };
		const outcome = backend.network.change(instance, change);
		if ('rows' in outcome) return json(201, { updateParticipants: outcome.rows });
		return unanswered(target, outcome, {
			refuse: (why) => refusal(400, ['Error updating participants', why]),
			onSilence: json(201, { updateParticipants: [] }),
		});
	});
}

/** A read of a group that fails with these words; after a silence the gateway trips over what it hasn't got. */
function failingRead(what: string): Failing {
	const refuse = (why: string): Reply => refusal(404, [what, why]);
	return { refuse, onSilence: refuse("TypeError: Cannot read properties of undefined (reading 'attrs')") };
}

/** `/group/participants/{instance}`: everybody in the group, as far as the generation shows them. */
export function listParticipants(target: Target): Reply {
	return withGroup(target, 'groupMetadata', failingRead('No participants'), (group, instance) =>
		json(200, { participants: participantsOf(group, target.rules, instance) }),
	);
}

const emptyBody: Reply = { ...json(200, ''), text: '' };

/** `/group/findGroupInfos/{instance}`: a group as in the list, with its participants. */
export function findGroup(target: Target): Reply {
	const { backend, rules } = target;
	return withGroups(target, (instance) => {
		const isIgnored = instance.ignoresGroups === true || backend.network.connection(instance) === 'never';
		if (isIgnored && rules.ignoredGroups === 'emptyBody') return emptyBody;
		return withGroup(target, 'groupMetadata', failingRead('Error fetching group'), (group) =>
			json(200, withParticipants(group, target)),
		);
	});
}

/** `/group/updateSetting/{instance}`: 201 and nothing in it, also after a silence. */
export function updateSetting(target: Target): Reply {
	const refuse = (why: string): Reply => refusal(400, ['Error updating setting', why]);
	const done = json(201, {});
	return withGroup(target, 'groupSettingUpdate', { refuse, onSilence: done }, (group) => {
		applySetting(group, target.request.body.action);
		return done;
	});
}

const foundedAt = 1_767_225_600;

/** `/group/fetchAllGroups/{instance}`: all groups that the account is in. */
export function listGroups(target: Target): Reply {
	const { backend, rules, request } = target;
	return withGroups(target, (instance) => {
		if (instance.ignoresGroups === true && rules.ignoredGroups === 'emptyBody') return emptyBody;
		const found = backend.network.groups(instance, 'groupFetchAllParticipating');
		if (!('groups' in found))
			return unanswered(target, found, { refuse: refusedList(target), onSilence: json(200, []) });
		const element = request.query('getParticipants') === 'true' ? withParticipants : elementOf;
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
