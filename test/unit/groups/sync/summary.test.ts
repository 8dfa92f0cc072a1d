import { WORDING } from '../../../../nodes/MessagingGateway/groups/outcomes';
import { rows } from './example';
import { summaryOf, type PersonResult } from '../../../../nodes/MessagingGateway/groups/sync/summary';

/**
 * So many results: `done` for people who should be members, `-done` for those who shouldn't, `(done)` for unlisted,
 * `?done` in a group that doesn't show its members, `done!` where nothing was sent, `done<` for people who left before,
 * `done+` for members, `kept#` because of a bad item, `kept%` because it isn't approved, `kept=` with a reason to count.
 */
function results(amounts: Record<string, number>): PersonResult[] {
	return Object.entries(amounts).flatMap(([text, amount]) =>
		Array.from({ length: amount }, () => ({
			decision: {
				shouldBeMember: !/^[-(]/.test(text),
				rows: text.startsWith('(') ? [] : rows('ana'),
				presence: text.includes('+') ? 'found' : 'absent',
				before: text.includes('<') ? { left: { at: 0 } } : {},
				reason: text.includes('#') ? 'badRow' : text.includes('%') ? 'notApproved' : undefined,
				because: text.includes('=') ? 'nobody knows' : undefined,
			},
			result: {
				outcome: text.replace(/[-()?!<#%+=]/g, '') as PersonResult['result']['outcome'],
				action: text.endsWith('!') ? 'none' : 'add',
			},
			isShown: !text.startsWith('?'),
		})),
	);
}

const NO_MEMBERS = {
	unlistedKept: 0,
	unmatched: 0,
	visibleIds: { phone: false, hidden: false, other: false },
};

describe('after a run', () => {
	it('is said what changed, what was so, and what is open', () => {
		const all = {
			postponed: 40,
			unchanged: 285,
			'-done': 2,
			'(done)': 1,
			inviteRequired: 2,
			done: 12,
			'(kept)': 5,
		};

		expect(summaryOf(results(all), [{ ...NO_MEMBERS, unlistedKept: 5 }])).toBe(
			'12 added, 3 removed, 285 already there, 2 need an invite, 40 postponed; 5 members are not in the list and were kept',
		);
	});

	it.each(Object.keys(WORDING).filter((outcome) => !/invited$|^sent$/i.test(outcome)))(
		'an outcome is counted: %s',
		(outcome) => {
			expect(summaryOf(results({ [outcome]: 2 }), [NO_MEMBERS])).toMatch(/^2 /);
		},
	);

	it.each([
		[{ '-unchanged': 2 }, 0, '2 already out'],
		[{ '-unconfirmed': 1, accepted: 2, unconfirmed: 1 }, 0, '2 accepted without a result, 2 not confirmed'],
		[{ '-rejected': 1, rejected: 1, '-kept': 3 }, 0, '2 rejected, 3 kept'],
		[{ planned: 3, '-planned': 1, '(planned)': 1 }, 0, '3 would be added, 2 would be removed'],
		[{ '?planned': 2 }, 0, '2 would be added unless already a member'],
		[{ 'unconfirmed!': 12, unconfirmed: 1 }, 0, '12 were tried before, 1 not confirmed'],
		[{ 'unconfirmed<!': 1, 'unconfirmed!': 1 }, 0, "1 left before and wasn't tried, 1 was tried before"],
		[{ '(kept)#': 1 }, 0, '1 member not in the list stays until all items are valid'],
		[
			{ '(kept)#': 2, '(kept)': 1 },
			1,
			'1 member is not in the list and was kept; 2 members not in the list stay until all items are valid',
		],
		[{ left: 2, 'left<': 1 }, 0, '2 left since the last run and stay out, 1 left and stays out'],
		[{ '-unconfirmed!': 1 }, 0, "1 can't be matched and has to be removed by hand"],
		[{ '-unconfirmed+!': 2 }, 0, '2 were tried before'],
		[{ '-unconfirmed!': 2 }, 0, "2 can't be matched and have to be removed by hand"],
		[{ '(kept)%': 1 }, 0, "1 change isn't approved"],
		[{ '-kept%': 1, 'postponed%': 1, done: 1 }, 0, "1 added, 1 kept, 1 postponed; 2 changes aren't approved"],
		[{ '-kept=': 1 }, 0, '1 kept; 1 member stays: nobody knows'],
		[{ '(kept)=': 2 }, 0, '2 members stay: nobody knows'],
		[{}, 2, '2 members are not in the list and were kept'],
		[{}, 0, ''],
	])('%j, with %d unlisted', (amounts, unlisted, expected) => {
		expect(summaryOf(results(amounts), [{ ...NO_MEMBERS, unlistedKept: unlisted }])).toBe(expected);
	});

	it.each([
		[1, false, "1 member shows no number and can't be matched"],
		[61, false, "61 members show no number and can't be matched"],
		[61, true, "61 members show no hidden ID and can't be matched"],
	])('%d who may be in the list are said apart, with what they lack', (unmatched, phone, expected) => {
		const visibleIds = { ...NO_MEMBERS.visibleIds, phone };
		expect(summaryOf([], [{ unlistedKept: 1, unmatched, visibleIds }])).toBe(
			`1 member is not in the list and was kept; ${expected}`,
		);
	});
});
