import { jidOf, request, resultsIn } from './rows';

describe('the advice to keep numbers exact', () => {
	it.each<[sentAs: string, numbers: string[], boolean]>([
		['5215512345678', [], true],
		['5215512345678', ['5215512345678'], false],
		['5215512345678', ['525512345678'], true],
		['5215512345678', ['5215512345678', '525512345678'], true],
		['5511999990001', [], false],
		['5215512345678@s.whatsapp.net', ['5215512345678'], false],
		['5215512345678@s.whatsapp.net', [], false],
	])(
		'is given only if the network may have been asked about another number: %s, in the reply %j: %p',
		(sentAs, numbers, expected) => {
			const ids = numbers.length === 0 ? [{}] : numbers.map((number) => ({ jid: jidOf(number) }));
			const [result] = resultsIn(
				request([sentAs], 'remove'),
				ids.map((id) => ({ ...id, status: '404' })),
			);

			expect(result?.code).toBe('404');
			expect(/that the gateway asked about/.test(result?.message ?? '')).toBe(expected);
		},
	);
});
