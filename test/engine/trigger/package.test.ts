import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../engine';
import { kindsSeed } from '../../gateway/gateway';
import { KINDS } from '../../gateway/seed';
import { describeEachLine, withGateways } from '../support';
import { participants, statuses, Trigger } from './trigger';

describeEachLine('the trigger in the built package', (engine) => {
	const start = withGateways();

	it('is a polling trigger, and no tool', () => {
		const { trigger } = engine().describe();

		expect(trigger).toMatchObject({
			name: 'messagingGatewayTrigger',
			displayName: 'Messaging Gateway Trigger',
			version: [1, 1.1],
			defaultVersion: 1.1,
			polling: true,
			inputs: [],
			credentials: [{ name: 'messagingGatewayApi', required: true }],
		});
		expect(trigger).not.toHaveProperty('usableAsTool', true);
		// n8n adds the poll times.
		expect(trigger.properties.map(({ name }) => name)).toContain('pollTimes');
	});

	it('has its icons and its codex where n8n looks for them', () => {
		const { iconUrl, codex } = engine().describe().trigger;
		const icons = typeof iconUrl === 'object' ? [iconUrl.light, iconUrl.dark] : [];

		expect(icons).toHaveLength(2);
		for (const icon of icons) {
			const [, , ...path] = icon.split('/');
			expect(existsSync(join(PACKAGE_ROOT, ...path))).toBe(true);
		}
		expect(codex).toMatchObject({
			categories: ['Communication'],
			resources: { primaryDocumentation: [expect.anything()] },
		});
	});

	// n8n has one schema for a node without operations, so it holds the fields of all events.
	it.each([participants(KINDS.hidden), statuses()])(
		'offers every field before it has run: $event',
		async (parameters) => {
			const gateway = await start({ generation: '2.3', seed: kindsSeed });
			const manual = { mode: 'manual', activation: 'manual' } as const;
			const [item = {}] = await new Trigger(engine(), gateway, parameters, manual).items();
			const [ofVersion1, schema] = ['v1.0.0', 'v1.1.0'].map((version) => {
				const file = join(PACKAGE_ROOT, `dist/nodes/MessagingGatewayTrigger/__schema__/${version}.json`);
				return JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
			});

			expect(Object.keys(item).length).toBeGreaterThan(4);
			expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(item)));
			expect(ofVersion1).toEqual(schema);
		},
	);
});
