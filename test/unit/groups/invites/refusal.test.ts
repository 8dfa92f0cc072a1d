import { identityFor, identityOf } from '../../../../nodes/MessagingGateway/groups/identity';
import { explainRefusal } from '../../../../nodes/MessagingGateway/groups/invites';

const refusal = (id: string, found: string | null | undefined) =>
	explainRefusal(
		{ sentAs: id, identity: identityFor(id) },
		found === null ? null : identityOf(found),
		'No reason',
	);
const jid = (digits: string) => `${digits}@s.whatsapp.net`;

describe('an invite that was refused without a reason', () => {
	it.each([
		[
			'a number that is not there',
			'447700900001',
			null,
			'notFound',
			/^Not on the network\. Check the number\.$/,
		],
		['one with other forms', '5521998860001', null, 'notFound', /'Keep Numbers Exact'\.$/],
		['one kept exact', jid('5521998860001'), null, 'notFound', / right, try \+552198860001\.$/],
		['a hidden ID that is not there', '199999999999701@lid', null, 'notFound', /phone number/],
		[
			'another form',
			'5521998860001',
			jid('552198860001'),
			'rejected',
			/ 552198860001\. .*Keep Numbers Exact/,
		],
		['a full ID and another form', jid('5215512345678'), jid('525512345678'), 'rejected', /that number\.$/],
		['another number', '447700900001', jid('447700900002'), 'rejected', / 447700900002\. /],
		[
			'the number',
			'447700900001',
			jid('447700900001'),
			'unconfirmed',
			/^No reason\. The number is on .* sent\.$/,
		],
		['the number as given', '5531998860003', jid('5531998860003'), 'unconfirmed', /'Keep Numbers Exact'/],
		[
			'the number as gateways make it',
			'5531998860003',
			jid('553198860003'),
			'unconfirmed',
			/is on the network/,
		],
		['a hidden ID of a number', '447700900001', '199999999999701@lid', 'unconfirmed', /is on the network/],
		['its number', '199999999999701@lid', jid('447700900001'), 'unconfirmed', /is on the network/],
		['a hidden ID', '199999999999701@lid', '199999999999701@lid', 'unconfirmed', /is on the network/],
		['nothing', '447700900001', undefined, 'unconfirmed', /^No reason\. It's not known .* sent\.$/],
		['nothing of one with other forms', '541112345678', undefined, 'unconfirmed', /'Keep Numbers Exact'/],
	] as const)('where the network has %s: %s, %s → %s', (_, id, found, outcome, message) => {
		expect(refusal(id, found)).toEqual({ outcome, message: expect.stringMatching(message) });
	});
});
