import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { REFUSALS, withFact, type Facts } from '../../../../nodes/MessagingGateway/groups/memory/facts';
import { readRowText, rowTextAfter } from '../../../../nodes/MessagingGateway/groups/memory/rowText';

const GROUP = '120363021345678901@g.us';
const ana = identityFor('5531999990002');
const NOW = Date.UTC(2026, 10, 22, 5, 30, 59);
const OCTOBER = Date.UTC(2026, 9, 1);
const D1 = Date.UTC(2026, 10, 1, 5);

const read = (text: string, id = ana, group = GROUP) => readRowText(text, group, id, NOW);
const { key } = read('');

describe("a row's text", () => {
	it.each<[string, Facts]>([
		['', {}],
		['  ', {}],
		['member 2026-11-01T05:00Z', { member: { at: D1 } }],
		['left 2026-11-01T05:00Z', { left: { at: D1 } }],
		['toLeave 2026-11-01T05:00Z', { toLeave: { at: D1 } }],
		['out 2026-11-01T05:00Z', { out: { at: D1 } }],
		['asked 2026-11-01T05:00Z', { asked: { at: D1 } }],
		['invited 2026-11-01T05:00Z', { invited: { at: D1 } }],
		['maybeInvited 2026-11-01T05:00Z', { maybeInvited: { at: D1 } }],
		['refused blocked 2026-11-01T05:00Z', { refused: { at: D1, outcome: 'blocked' } }],
		[
			'out 2026-11-01T05:00Z; refused notFound 2026-11-01T05:00Z; asked 2026-11-01; invited 2026-11-01T05:00Z',
			{ out: { at: D1 }, invited: { at: D1 } },
		],
		[
			'left 2026-11-01T05:00Z; refused notFound 2026-11-01T05:00Z; asked 2026-11-01T05:00Z',
			{ left: { at: D1 }, refused: { at: D1, outcome: 'notFound' }, asked: { at: D1 } },
		],
		['member 2026-11-01T05:00Z; invited 2026-11-01T04:59Z; maybeInvited 2026-10-01', { member: { at: D1 } }],
		['maybeInvited 2026-10-01; invited 2026-10-01; member 2026-11-01T05:00Z', { member: { at: D1 } }],
		[
			'member 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z',
			{ member: { at: D1 }, invited: { at: D1 }, maybeInvited: { at: D1 } },
		],
		['left 2026-11-01T05:00Z; invited 2026-10-01', { left: { at: D1 }, invited: { at: OCTOBER } }],
		['out 2026-10-01; MEMBER   2026-11-01T05:00Z ;;', { member: { at: D1 } }],
		[' tOlEaVe\t2026-11-01 05:00 ', { toLeave: { at: D1 } }],
		['REFUSED BLOCKED 2026-11-01T05:00:00z', { refused: { at: D1, outcome: 'blocked' } }],
		['member 2026-11-01', { member: { at: Date.UTC(2026, 10, 1) } }],
		['member 2026-11-01T07:00+02:00', { member: { at: D1 } }],
		['member 2026-11-01T02:00:00.000-0300', { member: { at: D1 } }],
		['member 2026-11-23T05:30:59Z', { member: { at: Date.UTC(2026, 10, 23, 5, 30, 59) } }],
		[`invited 2026-10-01;${' '.repeat(1981)}`, { invited: { at: OCTOBER } }],
	])('says: %.120s', (text, facts) => {
		expect(read(text)).toEqual({ text, key, facts, isForeign: false, isUnreadable: false });
	});

	it.each([
		'membr 2026-11-01',
		'member',
		'member yesterday',
		'member 2026-02-30',
		'member 2026-11-01T25:00Z',
		'member 2026-11-23T05:31Z',
		'refused 2026-11-01',
		'refused done 2026-11-01',
		'refused blocked',
		'5',
		'{"a":1}',
		'member 2026-11-01 2026-11-01',
		`member 2026-11-01; ${'x'.repeat(2000)}`,
	])('counts as nothing where it cannot be read: %.40s', (text) => {
		expect(read(text)).toEqual({ text, key, facts: {}, isForeign: false, isUnreadable: true });
	});

	it('counts as far as it can be read', () => {
		expect(read('hello; member 2026-11-01T05:00Z')).toMatchObject({
			facts: { member: { at: D1 } },
			isUnreadable: true,
		});
	});
});

describe('whom a text is for', () => {
	it('is one person in one group, under whatever form of the number', () => {
		expect(read('', identityFor('553199990002')).key).toBe(key);
		expect(read('', identityFor('5531999990003')).key).not.toBe(key);
		expect(read('', ana, '1@g.us').key).not.toBe(key);
		expect(key).toMatch(/^[0-9a-f]{8}$/);
	});

	it('is read in any case', () => {
		expect(read(`member 2026-11-01T05:00Z; FOR ${key.toUpperCase()}`)).toMatchObject({
			facts: { member: { at: D1 } },
			isForeign: false,
		});
	});

	it('counts as nothing for anybody else', () => {
		const text = 'member 2026-11-01T05:00Z; for 00000000';
		expect(read(text)).toEqual({ text, key, facts: {}, isForeign: true, isUnreadable: false });
	});

	const split = `${key.slice(0, 4)} ${key.slice(4)}`;
	it.each(['', '0000000', '00000000x', 'x00000000', split])('is nobody unless whole: %s', (whom) => {
		const text = `member 2026-11-01T05:00Z; for ${whom}`;
		expect(read(text)).toEqual({ text, key, facts: {}, isForeign: false, isUnreadable: true });
	});
});

describe('the text after a run', () => {
	const text = `member 2026-11-01T05:00Z; for ${key}`;

	it('names all facts in one order, to the minute, and whom they are for', () => {
		const facts: Facts = {
			maybeInvited: { at: D1 },
			invited: { at: D1 },
			asked: { at: D1 },
			refused: { at: NOW, outcome: 'recentlyLeft', code: '408' },
			left: { at: D1 },
		};

		expect(rowTextAfter(read(''), facts)).toBe(
			`left 2026-11-01T05:00Z; refused recentlyLeft 2026-11-22T05:30Z; asked 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z; for ${key}`,
		);
	});

	const olderInvite = 'member 2026-11-01T05:00Z; invited 2026-10-01';
	it.each([text, olderInvite, ' Member 2026-11-01 05:00 ', 'hello; member 2026-11-01T05:00Z', '', 'hello'])(
		'is as it was where there is nothing new: %s',
		(before) => {
			expect(rowTextAfter(read(before), read(before).facts)).toBe(before);
		},
	);

	it('loses what cannot be read with the next fact, and gets whom it is for', () => {
		expect(rowTextAfter(read('hello; out 2026-11-01'), { member: { at: D1 } })).toBe(text);
	});

	it('is empty where nothing is true any more', () => {
		expect(rowTextAfter(read(text), {})).toBe('');
	});

	it("is empty or new where it was somebody else's", () => {
		const foreign = read('out 2026-10-01T05:00Z; for 00000000');

		expect(rowTextAfter(foreign, {})).toBe('');
		expect(rowTextAfter(foreign, { member: { at: D1 } })).toBe(text);
	});

	it.each(REFUSALS)('is read as it was written: %s', (outcome) => {
		const facts = withFact({ left: { at: D1 } }, 'refused', { at: D1, outcome });

		expect(read(rowTextAfter(read(''), facts)).facts).toEqual(facts);
	});
});
