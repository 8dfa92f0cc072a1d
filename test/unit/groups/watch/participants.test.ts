import {
	compareMembers,
	type GroupSnapshot,
} from '../../../../nodes/MessagingGateway/groups/watch/participants';
import { byBoth, byHiddenId, byNumber, membersOf, snapshotOf, toldBetween, type Row } from './people';
import { testExamples, type Examples } from '../../support';

const NUMBERS: Record<string, string> = { ana: '5511990000001', bo: '5511990000002', cleo: '447700900003' };
const { ana: ANA = '' } = NUMBERS;
const numberOf = (name: string) => NUMBERS[name] ?? name;

/**
 * Rows as `ana 1=bo 2`: by number, by both IDs, by hidden ID, each with `*` for an admin, `**` for the superadmin, and `?`
 * for a role that the gateway doesn't tell; an ID of another kind is as it is.
 */
function rowsOf(text: string): Row[] {
	return text.split(' ').map((one) => {
		const [, own = '', name, mark = ''] = /^([^=*?]+)(?:=([^*?]+))?(\**|\?)$/.exec(one) ?? [];
		const admin = mark === '?' ? undefined : [null, 'admin', 'superadmin'][mark.length];
		if (own.includes('@')) return { id: own, ...(name && { phoneNumber: numberOf(name) }) };
		if (!/^\d$/.test(own)) return byNumber(numberOf(own), { admin });
		return name === undefined ? byHiddenId(own, { admin }) : byBoth(own, numberOf(name), { admin });
	});
}

/** What polls tell that find these members in turn, with the role that somebody had before in brackets. */
function toldInTurn(polls: string[]): string {
	let snapshot: GroupSnapshot | undefined;
	const told = polls.flatMap((poll) => {
		const compared = compareMembers(snapshot, membersOf(rowsOf(poll)));
		({ snapshot } = compared);
		return compared.changes
			.map(({ change, member: { number, id }, previousRole }) => {
				const name = Object.keys(NUMBERS).find((one) => NUMBERS[one] === number) ?? number ?? id;
				return `${change} ${name}${previousRole === undefined ? '' : ` (${previousRole})`}`;
			})
			.sort();
	});
	return told.join(', ');
}

/** Examples as `members → members in the next poll → in the one after that: all changes`. */
function examples(all: Examples): void {
	testExamples(all, ': ', ([polls = '', expected]) => {
		expect(toldInTurn(polls.split(' → '))).toBe(expected);
	});
}

describe('who joined and who left', () => {
	examples({
		'is nobody in the first poll': 'ana: ',
		'somebody who is new': 'ana → ana bo: joined bo',
		'somebody who is gone': 'ana bo → ana: left bo',
		'somebody new with an ID of a kind that is not known': 'ana → ana x@any: joined x@any',
		'somebody with a known ID, beside one of a kind that is not known': 'x@any → x@any ana: joined ana',
		'one for another': 'ana → bo: joined bo, left ana',
		'nobody, on another device': `ana → ${ANA}:12@s.whatsapp.net: `,
		'nobody, with a number of a new plan': '22518139912 → 2250718139912: ',
		'nobody, with a number of a new plan, who is known by it from then on':
			'22518139912 → 2250718139912 → 2250718139912 bo → bo: joined bo, left 2250718139912',
		'two people with nearly the same number and different hidden IDs':
			'1=22518139912 → 2=2250718139912: joined 2250718139912, left 22518139912',
		'nobody, with the ninth digit of Brazil': '553199990002 → 5531999990002: ',
		'nobody, with an ID of a kind that is not known': 'x@any → x@any: ',
	});
});

describe('a group that moves to hidden IDs', () => {
	examples({
		'reports nobody, with numbers beside them': 'ana → 1=ana: ',
		'reports nobody, without numbers': 'ana bo → 1 2: ',
		'reports neither who may have left nor who may have joined': 'ana bo → 1 2 3: ',
		'reports who left, if they were known by both': 'ana 2=bo → 1: left bo',
		'reports who joined, if they are shown by both': 'ana → 1 2=bo: joined bo',
		'reports who is known by number on both sides': 'ana cleo → 1=ana 2=bo: joined bo, left cleo',
		'reports who left, if nobody new may be them': 'ana 2=bo → 2: left ana',
		'is compared by the new IDs from then on': 'ana bo → 1 2 → 1: left 2@lid',
	});
});

describe('what was known of somebody', () => {
	it.each([
		['hidden ID', byHiddenId('1')],
		['number', byNumber(ANA)],
	])('stays known while they are there, shown by %s alone', (_, shown) => {
		const known = snapshotOf([byBoth('1', ANA, { name: 'Ana' })]);
		const { snapshot } = compareMembers(known, membersOf([shown]));
		const [left] = compareMembers(snapshot, membersOf(rowsOf('bo'))).changes;

		expect(left).toMatchObject({ change: 'left', member: { number: ANA, lid: '1@lid', name: 'Ana' } });
	});

	examples({
		'finds them under either ID': '1=ana → 1 → ana: ',
		'is no reason to miss a member with an ID of a kind that is not known': 'x@bot=ana → x@bot: ',
		'gives way to what is shown now': '1=ana → 1=bo → ana: joined ana, left bo',
		'is forgotten once they left': '1=ana bo → bo → 1 bo → bo: left ana, joined 1@lid, left 1@lid',
	});
});

describe('a role', () => {
	examples({
		'that is an admin’s was given': 'ana → ana*: promoted ana (member)',
		'that is the superadmin’s was given, too': 'ana → ana**: promoted ana (member)',
		'that was an admin’s was taken': 'ana* → ana: demoted ana (admin)',
		'that was the superadmin’s was taken, too': 'ana** → ana: demoted ana (superAdmin)',
		'of one kind of admin is like that of the other': 'ana** → ana* → ana**: ',
		'that gets lost changes nothing': 'ana* → ana? → ana?: ',
		'that gets known changes nothing': 'ana? → ana? → ana*: ',
		'is compared with the last one known': 'ana* → ana? → ana? → ana: demoted ana (admin)',
		'is the one that was known where it is known again': 'ana → ana? → ana: ',
		'changes also while the ID does': 'ana → 1=ana*: promoted ana (member)',
		'of somebody who was listed twice is one': 'ana 1* → 1=ana: demoted ana (admin)',
	});
});

describe('where more than three and more than a fifth are gone at once', () => {
	const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
	const ten = range(10, 20).join(' ');
	const four = range(10, 14).join(' ');
	const six = range(14, 20)
		.map((left) => `left ${left}`)
		.join(', ');

	examples({
		'the poll gives nothing at all': `${ten} → ${four} ana: `,
		'the next poll counts, if again as many are gone': `${ten} → ${four} → ${four}: ${six}`,
		'after that, the next poll counts as well': `${ten} → ${four} → ${four} → 10 11 12: ${six}, left 13`,
		'and are back in the next poll, nothing was': `${ten} → ${four} ana → ${ten} → ${four}: `,
		'a small group is no other': '1 2 3 4 5 6 7 → 1 2 3 → 1 2 3 4 5 6 7: ',
		'it counts at once of three': '1 2 3 4 5 6 7 → 1 2 3 4: left 5@lid, left 6@lid, left 7@lid',
		'it counts at once of a fifth': `${range(10, 30).join(' ')} → ${range(14, 30).join(' ')}: left 10, left 11, left 12, left 13`,
	});

	it('who cannot be told apart is not among them', () => {
		const ten = range(10, 20).map((number) => byNumber(`${number}`));
		const before = [...ten, ...Array.from({ length: 20 }, (_, i) => byBoth(`${i}`, `1202555${1000 + i}`))];
		const now = [...ten.map((_, i) => byHiddenId(`9${i}`)), ...before.slice(10, 26)];

		// Four of the twenty who are known by both, and perhaps some of the ten.
		expect(toldBetween(before, now)).toHaveLength(4);
		// Five of the twenty, and they would be a sixth of all thirty.
		expect(toldBetween(before, now.slice(0, 25))).toEqual([]);
	});
});
