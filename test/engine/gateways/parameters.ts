import { locator } from '../support';

/** Parameters of Instance → Get Many. */
export function getMany(more: object = {}): object {
	return { resource: 'instance', operation: 'getAll', ...more };
}

/** Parameters of Instance → Get. */
export function getInstance(instance: unknown, more: object = {}): object {
	return { resource: 'instance', operation: 'get', instance: locator(instance, 'name'), ...more };
}

/** Parameters of Bot → Get. */
export function getBot(bot: unknown, instance: unknown = 'main', more: object = {}): object {
	return {
		resource: 'bot',
		operation: 'get',
		instance: locator(instance, 'name'),
		bot: locator(bot, 'id'),
		...more,
	};
}
