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

function elementOf({ seed, members, admins, creator, settings, info }: Group, { rules }: Target): object {
	const owner = creator ?? [...admins][0];
	return {
		id: seed.jid,
		subject: info.subject,
		subjectOwner: owner,
		subjectTime: foundedAt,
		pictureUrl: null,
		size: members.size,
		creation: foundedAt,
		owner,
		...(rules.communities ? { isCommunity: false, isCommunityAnnounce: false } : {}),
		...seed.extra,
		...(info.desc !== undefined && { desc: info.desc }),
		...settings,
	};
}

/** A route that changes something of a group. */
function changeInfo(
	call: GroupCall,
	{ success, refuse }: { success: object; refuse: (why: string) => Reply },
	apply: (group: Group, body: Record<string, unknown>, instance: SeedInstance) => string | undefined,
) {
	return (target: Target): Reply =>
		withGroup(target, call, { refuse, onSilence: json(201, success) }, (group, instance) => {
			const refused = apply(group, target.request.body, instance);
			return refused === undefined ? json(201, success) : refuse(refused);
		});
}

const success = { update: 'success' };
const failing = (what: string) => (why: string) => refusal(500, [what, why]);

/** `/group/updateGroupSubject/{instance}`. */
export const updateSubject = changeInfo(
	'groupUpdateSubject',
	{ success, refuse: failing('Error updating group subject') },
	({ info }, { subject }) => {
		info.subject = String(subject);
		return undefined;
	},
);

/** `/group/updateGroupDescription/{instance}`. */
export const updateDescription = changeInfo(
	'groupUpdateDescription',
	{ success, refuse: failing('Error updating group description') },
	({ info }, { description }) => {
		info.desc = String(description);
		return undefined;
	},
);

/** The beginnings of pictures as base64: JPEG, PNG, GIF, WebP. */
export const PICTURES = ['/9j/', 'iVBOR', 'R0lGO', 'UklGR'];

/** `/group/updateGroupPicture/{instance}`: an address, which isn't fetched here, or base64. */
export const updatePicture = changeInfo(
	'updateProfilePicture',
	{ success, refuse: failing('Error update group picture') },
	({ info }, { image }) => {
		const picture = String(image);
		const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(picture);
		// A host without a dot is no address there.
		if (!isBase64 && !/^https?:\/\/[^/\s]+\.[^\s]+$/.test(picture)) return '[object Object]';
		if (isBase64 && !PICTURES.some((begin) => picture.startsWith(begin)))
			return 'Error: Input buffer contains unsupported image format';
		info.picture = picture;
		return undefined;
	},
);

/** `/group/toggleEphemeral/{instance}`. */
export const toggleEphemeral = changeInfo(
	'groupToggleEphemeral',
	{ success: { success: true }, refuse: (why) => refusal(400, ['Error updating setting', why]) },
	({ info }, { expiration }) => {
		info.expiration = Number(expiration);
		return undefined;
	},
);

/** `/group/leaveGroup/{instance}`: the same also where the account isn't in the group, or there is none. */
export function leaveGroup(target: Target): Reply {
	const done = json(200, { groupJid: groupJidOf(target), leave: true });
	const refuse = (why: string): Reply => refusal(400, ['Unable to leave the group', why]);
	return withGroups(target, (instance) => {
		const found = target.backend.network.leaveGroup(instance, groupJidOf(target));
		return found === undefined ? done : unanswered(target, found, { refuse, onSilence: done });
	});
}

/** `/group/create/{instance}`: who isn't on the network, or can't be added, is left out. */
export function createGroup(target: Target): Reply {
	const { backend, request, rules } = target;
	return withGroups(target, (instance) => {
		const { subject, participants } = request.body;
		const jids = [participants].flat().map((one) => toJid(String(one)));
		const refuse = failing('Error creating group');
		const there = jids.filter((jid) => backend.network.find(jid) !== undefined);
		const found = backend.network.create(instance, String(subject), there);
		// After a silence, the gateway trips over what it hasn't got.
		const onSilence = refuse("TypeError: Cannot read properties of undefined (reading 'attrs')");
		if (!('group' in found)) return unanswered(target, found, { refuse, onSilence });
		const made = { ...withParticipants(found.group, target), pictureUrl: undefined };
		const of2 = { addressingMode: 'pn', joinApprovalMode: false, memberAddMode: false };
		return json(201, { ...made, ...(rules.element === 'flat' && of2) });
	});
}

/**
 * `/message/sendText/{instance}`, to a group: the group is read first, and whatever fails then has no words. What the
 * network refuses is a success, too: where only admins write.
 */
export function sendText(target: Target): Reply {
	const { backend, rules, request } = target;
	const refuse = (): Reply => refusal(400, ['[object Object]']);
	return withInstance(target, (instance) => {
		const { number, text, textMessage, mentionsEveryOne, options } = Object(request.body);
		const said = rules.element === 'wrapped' ? textMessage?.text : text;
		if (said === '') return refusal(400, ['Text is required']);
		if (typeof said !== 'string') return refusal(400, [['instance requires property "textMessage"']]);
		const groupJid = toGroupJid(String(number));
		const found = backend.network.group(instance, groupJid, 'groupFetch');
		if (!('group' in found)) return unanswered(target, found, { refuse, onSilence: refuse() });
		const everyone = rules.element === 'wrapped' ? options?.mentions?.everyOne : mentionsEveryOne;
		if (backend.network.mayWrite(instance, found.group))
			backend.network.send({
				...{ instance: instance.instanceName, to: groupJid, groupJid, text: said },
				...(everyone === true && { mentionsEveryone: true }),
			});
		const key = { remoteJid: groupJid, fromMe: true, id: `3EB0${backend.network.messages.length}` };
		const messageTimestamp = Math.floor(Date.now() / 1000);
		const { instanceId } = instance;
		const mentionedJid = everyone === true && {
			contextInfo: { mentionedJid: [...found.group.members.keys()] },
		};
		const about = {
			messageType: 'conversation',
			messageTimestamp,
			instanceId,
			source: 'web',
			...mentionedJid,
		};
		const message = { conversation: said };
		return json(201, { key, pushName: 'Você', status: 'PENDING', message, ...about });
	});
}
