import fc from 'fast-check';
import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { consistent, REFUSALS, type Facts } from '../../../../nodes/MessagingGateway/groups/memory/fact';
import { readRowText, rowTextAfter } from '../../../../nodes/MessagingGateway/groups/memory/text';
import { runsOf } from '../../../thorough';

const GROUP = '120363021345678901@g.us';
const ana = identityFor('5531999990002');
const NOW = Date.UTC(2026, 10, 22, 5, 30, 59);
/** A day without a time is its end. */
const OCTOBER = Date.UTC(2026, 9, 1, 23, 59);
const D1 = Date.UTC(2026, 10, 1, 5);

const read = (text: string, id = ana, group = GROUP) => readRowText(text, group, id, NOW);
const { key } = read('');
describe("a row's text", () => {
	it.each<[string, Facts]>([
		['', {}],
		['member 2026-11-01T05:00Z', { member: { at: D1 } }],
		[
			'out 2026-11-01T05:00Z; refused notFound 2026-11-01T05:00Z; invited 2026-10-01',
			{ out: { at: D1 }, refused: { at: D1, outcome: 'notFound' } },
		],
		['member 2026-11-01T05:00Z; invited 2026-11-01T04:59Z; maybeInvited 2026-10-01', { member: { at: D1 } }],
		[
			'member 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z',
			{ member: { at: D1 }, invited: { at: D1 }, maybeInvited: { at: D1 } },
		],
		[
			'member 2026-10-01; refused blocked 2026-11-01T05:00Z',
			{ member: { at: OCTOBER }, refused: { at: D1, outcome: 'blocked' } },
		],
		['member 2026-11-01T05:00Z; refused blocked 2026-10-01', { member: { at: D1 } }],
		['member 2026-10-01; asked 2026-11-01T05:00Z', { asked: { at: D1 } }],
		['refused blocked 2026-11-01T05:00Z; asked 2026-10-01', { refused: { at: D1, outcome: 'blocked' } }],
		[
			'refused blocked 2026-10-01; asked 2026-11-01T05:00Z',
			{ refused: { at: OCTOBER, outcome: 'blocked' }, asked: { at: D1 } },
		],
		['member 2026-11-01T05:00Z; left 2026-10-01', { left: { at: OCTOBER } }],
		[
			'toLeave 2026-11-01T05:00Z; refused rejected 2026-10-01',
			{ toLeave: { at: D1 }, refused: { at: OCTOBER, outcome: 'rejected' } },
		],
		['out 2026-10-01; MEMBER   2026-11-01T05:00Z ;;', { member: { at: D1 } }],
		[' tOlEaVe\t2026-11-01 05:00 ', { toLeave: { at: D1 } }],
		['member 2026-11-01', { member: { at: Date.UTC(2026, 10, 1, 23, 59) } }],
		['left 2026-11-22', { left: { at: NOW - 60_000 } }],
		['left 2026-11-23', { left: { at: NOW - 60_000 } }],
		['refused blocked x3 2026-11-01T05:00Z', { refused: { at: D1, outcome: 'blocked', times: 3 } }],
		['refused blocked x1 2026-11-01T05:00Z', { refused: { at: D1, outcome: 'blocked' } }],
		['toLeave 2026-10-01; left 2026-11-01T05:00Z', { toLeave: { at: OCTOBER }, left: { at: D1 } }],
		['left 2026-11-01T05:00Z; toLeave 2026-10-01', { toLeave: { at: OCTOBER }, left: { at: D1 } }],
		[`"member 2026-11-01T05:00Z; for ${key}"`, { member: { at: D1 } }],
		[`'left 2026-11-01T05:00Z; for ${key} (asked not to be added!); see mail`, { left: { at: D1 } }],
		['member 2026-11-01T07:00+02:00', { member: { at: D1 } }],
		['member 2026-11-01T02:00:00.000-0300', { member: { at: D1 } }],
		['member 2026-11-23T05:30:59Z', { member: { at: Date.UTC(2026, 10, 23, 5, 30, 59) } }],
	])('says: %s', (text, facts) => {
		expect(read(text)).toEqual({ text, key, facts, isForeign: false, isUnreadable: false });
	});

	it('says something in at most 2,000 characters', () => {
		const text = `invited 2026-10-01;${' '.repeat(1981)}`;
		expect(read(text)).toMatchObject({ facts: { invited: { at: OCTOBER } }, isUnreadable: false });
		expect(read(`${text} `)).toMatchObject({ facts: {}, isUnreadable: true });
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
		'refused blocked x 2026-11-01',
		'left 2026-11-24',
		'5',
		'{"a":1}',
		'member 2026-11-01 2026-11-01',
	])('counts as nothing where it cannot be read: %s', (text) => {
		expect(read(text)).toEqual({ text, key, facts: {}, isForeign: false, isUnreadable: true });
	});
});

describe('whom a text is for', () => {
	it('is one person in one group, under whatever form of the number', () => {
		expect(read('', identityFor('553199990002')).key).toBe(key);
		expect(read('', identityFor('5531999990003')).key).not.toBe(key);
		expect(read('', ana, '1@g.us').key).not.toBe(key);
		expect(key).toMatch(/^[0-9a-f]{8}$/);
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
			refused: { at: NOW, outcome: 'recentlyLeft' },
			left: { at: D1 },
		};

		expect(rowTextAfter(read(''), facts)).toBe(
			`left 2026-11-01T05:00Z; refused recentlyLeft 2026-11-22T05:30Z; asked 2026-11-01T05:00Z; invited 2026-11-01T05:00Z; maybeInvited 2026-11-01T05:00Z; for ${key}`,
		);
	});

	it.each([text, ` Member 2026-11-01 05:00; FOR ${key.toUpperCase()}`, '', 'hello', `hello; ${text}`])(
		'is as it was where there is nothing new: %s',
		(before) => {
			expect(rowTextAfter(read(before), read(before).facts)).toBe(before);
		},
	);

	it.each([
		'member 2026-11-01T05:00Z',
		'hello; Member 2026-11-01 05:00',
		'member 2026-11-01 05:00; out 2026-99',
	])('gets whom it is for: %s', (before) => {
		expect(rowTextAfter(read(before), read(before).facts)).toBe(text);
	});

	it('loses what cannot be read with the next fact', () => {
		expect(rowTextAfter(read('hello; out 2026-11-01'), { member: { at: D1 } })).toBe(text);
		expect(rowTextAfter(read('out 2026-11-01; for 123'), { member: { at: D1 } })).toBe(text);
	});

	it('is empty where nothing is true any more', () => {
		expect(rowTextAfter(read(text), {})).toBe('');
	});

	const minute = fc
		.integer({ min: 0, max: Math.floor(NOW / 60_000) })
		.map((minutes) => ({ at: minutes * 60_000 }));
	const standing = fc.constantFrom('member', 'left', 'toLeave', 'out');
	const refusal = fc
		.tuple(minute, fc.constantFrom(...REFUSALS), fc.integer({ min: 1, max: 12 }))
		.map(([note, outcome, times]) => ({ ...note, outcome, ...(times > 1 && { times }) }));
	const beside = fc.record(
		{ refused: refusal, asked: minute, invited: minute, maybeInvited: minute },
		{ requiredKeys: [] },
	);
	const known = fc
		.tuple(fc.option(fc.tuple(standing, minute)), beside)
		.map(([fact, more]): Facts =>
			consistent(
				Object.entries({ ...(fact && { [fact[0]]: fact[1] }), ...more }).map(([name, one]) => ({
					[name]: one,
				})),
			),
		);

	it('is read as it was written, whatever the facts, in any case and order', () => {
		fc.assert(
			fc.property(known, (facts) => {
				const written = rowTextAfter(read(''), facts);
				expect(read(written).facts).toEqual(facts);
				const [whom = '', ...parts] = written.toUpperCase().split('; ').reverse();
				expect(read([...parts, whom].join(' ;  ')).facts).toEqual(facts);
			}),
			runsOf(5_000, 200),
		);
	});

	it('never fails, whatever the row has', () => {
		const part = fc.constantFrom(...'member refused blocked for 2026-11-01 ; x'.split(' '), key, ' ', '\n');
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.array(part).map((parts) => parts.join(' ')),
				),
				(before) => {
					const { facts } = read(before);
					const after = rowTextAfter(read(before), facts);
					expect(read(after).facts).toEqual(facts);
					expect(rowTextAfter(read(after), facts)).toBe(after);
				},
			),
			runsOf(5_000, 200),
		);
	});
});
