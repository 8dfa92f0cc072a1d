import type { Action } from '../../../../nodes/MessagingGateway/groups/outcomes';
import {
	planRequests,
	onePerParticipant,
	plannedJournal,
} from '../../../../nodes/MessagingGateway/groups/batching';
import type { ChangeRequest } from '../../../../nodes/MessagingGateway/groups/change';
import { changesOf, person, testExamples, type Examples, type Wish } from '../../support';

/** `A` is somebody with a number, `a` the same with a hidden ID; whatever else is sent as it is. */
const idOf = (name: string) =>
	/^[A-Z]$/.test(name)
		? String(4_915_200_000_000 + name.charCodeAt(0))
		: /^[a-z]$/.test(name)
			? `1000000000000${name.charCodeAt(0)}@lid`
			: name;
const nameOf = (id: string) =>
	[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].find((name) => idOf(name) === id) ?? id;

/** `g1 add A B`: what one item asks for; instances are named before a slash, `main` where there is none. */
function wish(item: number, text: string): Wish {
	const [where = '', action, ...participants] = text.split(' ');
	const [groupJid = '', instance = 'main'] = where.split('/').reverse();
	return {
		item,
		instance,
		groupJid,
		action: action as Action,
		participants: participants.map((name) => person(idOf(name))),
	};
}

const sentIn = ({ participants }: ChangeRequest) => participants.map(({ sentAs }) => sentAs);

const inNotation = (requests: ChangeRequest[]) =>
	requests.map((request) => {
		const { instance, groupJid, action, changes } = request;
		const mentions = changes.map(({ item, participant }) => `${item}${nameOf(participant.given)}`);
		const where = instance === 'main' ? groupJid : `${instance}/${groupJid}`;
		return `${where} ${action} ${sentIn(request).map(nameOf).join(' ')} (${mentions.join(' ')})`;
	});

const askedBy = (items: string[]) => changesOf(items.map((text, item) => wish(item, text)));

/** The requests in the same notation, with the items that they serve. */
function plan(items: string[], { batchSize = 50 } = {}): string[] {
	return inNotation(planRequests(askedBy(items), batchSize));
}

/** Examples as `items → requests`. */
function examples(all: Examples<Parameters<typeof plan>[1]>): void {
	testExamples(all, / → /, ([items = '', requests = ''], options) => {
		expect(plan(items.split(', '), options)).toEqual(requests.split(', '));
	});
}

describe('rounds', () => {
	examples({
		'are removals, additions, promotions, demotions':
			'g demote A, g promote B, g add C, g remove D, g demote E, g add F → g remove D (3D), g add C F (2C 5F), g promote B (1B), g demote A E (0A 4E)',
		'have several changes to one person, in order':
			'g remove A, g add A, g promote A, g add B, g promote C, g remove B → g remove A (0A), g add A B (1A 3B), g promote A C (2A 4C), g remove B (5B)',
		'follow each other where the next change to a person belongs before the last one':
			'g add A, g remove A, g add A, g remove B, g promote B → g remove B (3B), g add A (0A), g promote B (4B), g remove A (1A), g add A (2A)',
		'are left out where it takes fewer requests to leave all in order':
			'g promote A, g add A B → g promote A (0A), g add A B (1A 1B)',
	});
});

describe('a participant who occurs twice', () => {
	it('is sent once in a request, and every mention is of it', () => {
		const requests = planRequests(askedBy(['g add A A', 'g add B A']), 50);
		const oneByOne = requests.flatMap(onePerParticipant);

		expect(inNotation(requests)).toEqual(['g add A B (0A 0A 1A 1B)']);
		expect(inNotation(oneByOne)).toEqual(['g add A (0A 0A 1A)', 'g add B (1B)']);
	});

	examples({
		'goes with the first mention, also where that was followed by another request': [
			'g add A, g add B, g add A → g add A (0A 2A), g add B (1B)',
			{ batchSize: 1 },
		],
		'is sent once where only changes to others come in between':
			'g remove A, g add B, g remove A, g promote B → g remove A (0A 2A), g add B (1B), g promote B (3B)',
		'is sent again after another change':
			'g add A, g remove A, g add A → g add A (0A), g remove A (1A), g add A (2A)',
	});

	const sentTogether = (...ids: string[]) => {
		const requests = planRequests(
			changesOf(ids.map((sentAs, item) => ({ ...wish(item, 'g add'), participants: [person(sentAs)] }))),
			50,
		);
		const [request, ...others] = requests;
		expect(others).toEqual([]);
		if (request === undefined) throw new Error('A request was expected');
		return request;
	};
	/** What a result of each change shows as sent. */
	const shownAsSent = (request: ChangeRequest) =>
		[...plannedJournal(request).values()].map((entry) => 'result' in entry && entry.result.sentAs);

	it('is sent as the first mention has it where all gateways take the others for the same number', () => {
		const jid = '4915200000001@s.whatsapp.net';
		const request = sentTogether('4915200000001', jid, '4915200000001');

		expect(sentIn(request)).toEqual(['4915200000001']);
		expect(shownAsSent(request)).toEqual(Array(3).fill('4915200000001'));
		expect(request.changes.map(({ participant }) => participant.given)).toContain(jid);
		expect(sentIn(sentTogether(jid, '4915200000001'))).toEqual([jid]);
	});

	it.each([
		['5531999990002', '5531999990002@s.whatsapp.net'],
		['5215512345678@s.whatsapp.net', '5215512345678'],
		['5511999990002', '551199990002'],
		['4915200000001', '4915200000001@lid'],
	])('is sent twice, in order, where a gateway may take %s and %s for different ones', (one, other) => {
		const request = sentTogether(one, other);

		expect(sentIn(request)).toEqual([one, other]);
		expect(shownAsSent(request)).toEqual([one, other]);
	});
});

describe('nothing is reordered, and only what follows each other shares a request,', () => {
	examples({
		'where rows of a group name numbers and hidden IDs':
			'g promote a, g add B, g promote c, h promote A, h add B, h promote C → g promote a (0a), g add B (1B), g promote c (2c), h add B (4B), h promote A C (3A 5C)',
		'where an ID is neither':
			'g promote A, g add 1@newsletter, g promote C → g promote A (0A), g add 1@newsletter (11@newsletter), g promote C (2C)',
		'where rows of a group name several instances':
			'one/g add A, two/g add A, one/g add B, one/h add B, two/i add A → one/g add A (0A), two/g add A (1A), one/g add B (2B), one/h add B (3B), two/i add A (4A)',
	});
});
