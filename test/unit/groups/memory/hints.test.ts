import { identityFor } from '../../../../nodes/MessagingGateway/groups/identity';
import { notRememberedHint, rowHints } from '../../../../nodes/MessagingGateway/groups/memory/hints';
import { readRowText } from '../../../../nodes/MessagingGateway/groups/memory/rowText';
import { finished } from '../../support';

const NOT_WRITTEN_BACK = /^The memory of all rows is empty.*write the output field 'memory' back/;
const FOREIGN = /was for another number or group/;
const UNREADABLE = /couldn't be read in part/;
const SEVERAL = /is of an item with several participants/;

/** Rows with these texts; `undefined` without Row Memory. */
function rowsOf(...texts: Array<string | undefined>) {
	return texts.map((memoryText, item) => ({
		item,
		memoryText,
		...(memoryText !== undefined && {
			memory: readRowText(memoryText, '1@g.us', identityFor('4915200000001'), Date.UTC(2026, 10, 22)),
		}),
	}));
}

describe('what memories leave to say', () => {
	it.each<[string, Array<string | undefined>, boolean, RegExp[]]>([
		['nothing without Row Memory', [undefined, undefined], true, []],
		['that none is written back, where people are members already', ['', ' '], true, [NOT_WRITTEN_BACK]],
		['nothing in a first run', ['', ''], false, []],
		['nothing where one is written back', ['', 'member 2026-11-01'], true, []],
		['whose is of others', ['out 2026-11-01; for 00000000', ''], true, [FOREIGN]],
		['what cannot be read', ['hello', 'member 2026-11-01; for me'], true, [UNREADABLE]],
	])('%s', (_, texts, hasMembers, expected) => {
		const hints = finished(rowHints(rowsOf(...texts), hasMembers));

		expect(hints).toEqual(expected.map((one) => expect.stringMatching(one)));
	});

	it('name whom n8n does not remember, and what that leads to', () => {
		expect(notRememberedHint('was invited', 'may invite them')).toMatch(
			/^n8n doesn't remember who was invited in this run, .* may invite them\. /,
		);
		expect(notRememberedHint('was invited', 'may invite them', true)).toMatch(
			/^n8n wouldn't remember who was invited in such a run, .* may invite them\. /,
		);
	});

	it('counts items, and not their participants', () => {
		const shared = [1, 1, 2].map((item) => ({ item, memoryText: 'mine' }));

		expect(finished(rowHints(shared, true))).toEqual([expect.stringMatching(SEVERAL)]);
		expect(finished(rowHints(shared, true))[0]).toContain('of 2 rows ');
		expect(finished(rowHints(rowsOf('hello', '?'), true))[0]).toContain('of 2 rows ');
	});
});
