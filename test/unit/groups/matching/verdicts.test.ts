import { verdictsOf } from '../../../../nodes/MessagingGateway/groups/matching/verdicts';
import { person } from '../../support';
import { jidOf } from './rows';

describe('whether the network was asked about another number than the one sent', () => {
	it.each<[sentAs: string, numbers: string[], boolean]>([
		['5215512345678', [], true],
		['5215512345678', ['5215512345678'], false],
		['5215512345678', ['525512345678'], true],
		['5215512345678', ['5215512345678', '525512345678'], true],
		['5511999990001', [], false],
		['5511999990001', ['551199990001'], true],
		['5215512345678@s.whatsapp.net', ['525512345678'], false],
		['5215512345678@s.whatsapp.net', [], false],
		['199999999999777@lid', ['525512345678'], false],
	])('%s, which the reply calls %j: %p', (sentAs, numbers, expected) => {
		const participant = person(sentAs);
		const rows = numbers.length === 0 ? [{ code: '404' }] : numbers.map((one) => ({ jid: jidOf(one) }));
		const verdicts = verdictsOf(new Map([[participant, [rows]]]), 'add');

		expect(verdicts.get(participant)?.asAnother).toBe(expected);
	});
});
