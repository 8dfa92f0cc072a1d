import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../engine';
import { describeEachLine } from '../support';

describeEachLine('the trigger in the built package', (engine) => {
	it('is a polling trigger, and no tool', () => {
		const { trigger } = engine().describe();

		expect(trigger).toMatchObject({
			name: 'messagingGatewayTrigger',
			displayName: 'Messaging Gateway Trigger',
			version: 1,
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
});
