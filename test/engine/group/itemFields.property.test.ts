import fc from 'fast-check';
import { runsOf } from '../../thorough';
import {
	describeEachLine,
	groupParameters,
	locator,
	REGULAR_OUTPUT,
	runNode,
	withGateways,
} from '../support';
import { CUSTOMERS } from '../../gateway/seed';

/** Names that sheets, CRMs and n8n's own nodes give, and some that JavaScript has its own idea of. */
const name = fc.oneof(
	fc.constantFrom('phone', 'Phone number', 'téléphone', 'a.b', "it's", '$x', '_', '0', '', 'length'),
	fc.constantFrom('constructor', 'prototype', '__proto__', 'toString', 'name', 'json', 'isEmpty', 'first'),
	fc.string({ maxLength: 6 }),
);
const number = fc.constantFrom('5511990000002', '+55 11 99000-0002', '12000000991155@lid');
const value: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 6, arbitrary: number },
	fc.constantFrom(5511990000002, 0, -0, '', ' ', '=5511990000002', '={{ 5 }}', '{{ 5 }}', '2026-11-22'),
	fc.constantFrom(null, true, ['5511990000002'], {}, { value: '5511990000002' }),
	fc.string(),
);
const pathOf = (names: string[]) =>
	names.map((one) => (/^\w+$/.test(one) ? `.${one}` : `[${JSON.stringify(one)}]`)).join('');
const itemOf = (names: string[], inside: unknown): object =>
	// Not assigned, since that would set the prototype where the name is `__proto__`.
	Object(names.reduceRight<unknown>((json, one) => Object.fromEntries([[one, json]]), inside));

describeEachLine('an expression that only names a field of the item', (engine) => {
	const start = withGateways();

	it('comes to what n8n makes of it, whatever the name and whatever each item has there', async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(
				fc.array(name, { minLength: 1, maxLength: 3 }),
				fc.array(fc.option(value, { nil: undefined, freq: 8 }), { minLength: 2, maxLength: 12 }),
				fc.boolean(),
				async (names, values, isGroup) => {
					const items = values.map((one) => (one === undefined ? { other: 1 } : itemOf(names, one)));
					const runWith = async (expression: string) => {
						const parameters = groupParameters({
							...(isGroup ? { participants: '5511990000002' } : { participants: expression }),
							options: { dryRun: true },
						});
						const { main, error } = await runNode(
							engine(),
							gateway,
							{ ...parameters, ...(isGroup && { group: locator(expression) }) },
							isGroup ? [...items, itemOf(names, CUSTOMERS)] : items,
							REGULAR_OUTPUT,
						);
						return {
							error: error?.message,
							shown: main.map(({ json, pairedItem }) => ({ json, pairedItem })),
						};
					};
					const field = `$json${pathOf(names)}`;
					// In brackets it is the same to n8n, but more than a field's name.
					expect(await runWith(`={{ ${field} }}`)).toEqual(await runWith(`={{ (${field}) }}`));
				},
			),
			runsOf(300, 12),
		);
	});
});
