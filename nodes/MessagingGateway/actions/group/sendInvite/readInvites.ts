import {
	batchInterval,
	defaultCountryCode,
	dryRun,
	includeInputFields,
	readNumberOptions,
} from '../../../fields/groupOptions';
import { readGroup } from '../../../fields/locators';
import {
	limitsOf,
	Options,
	optionsOf,
	timeout,
	type Field,
	type Switch,
	type ValuesOf,
} from '../../../fields/options';
import type { RequestOptions } from '../../../gateway/sender';
import type { InviteRow } from '../../../groups/invites';
import { readText } from '../../../input/values';
import type { Run } from '../../../run/operation';
import type { Parameters } from '../../../run/parameters';
import { peopleReader } from '../numbers';
import { maximumOf } from '../writes';

/** Options that only Send Invite has, or has with another default, by their names. */
export const inviteFields = {
	batchInterval: { ...batchInterval, default: 30_000 },
	maxPerRun: maximumOf('Invites', 'The others are postponed.'),
	onlyOnce: {
		displayName: 'Only Once',
		name: 'onlyOnce',
		absent: true,
		type: 'boolean',
		default: false,
		description: 'Whether to leave out people who were invited to the group before',
	},
} satisfies Record<string, Field | Switch>;

/** No retries: a message is never repeated. */
export const inviteOptionFields = [
	limitsOf(inviteFields.maxPerRun, inviteFields.onlyOnce),
	optionsOf(inviteFields.batchInterval, defaultCountryCode, includeInputFields, timeout),
];

const { onlyOnce, ...ofRun } = inviteFields;
export const INVITE_FIELDS = { timeout, ...ofRun, dryRun };
export type InviteOptions = ValuesOf<typeof INVITE_FIELDS> & RequestOptions;

/** Makes a reader of items for a run. It throws why nothing is sent for one. */
export function inviteReader(run: Run) {
	const readPeople = peopleReader(run);
	return async (parameters: Parameters, item: number) => {
		const options = new Options(parameters);
		const group = readGroup(parameters);
		const advice = "Enter a 'Message'. The group's link is put below it";
		const message = readText(parameters.get('message'), 'The message', advice);
		const ofRow = { item, ...group, message, onlyOnce: options.boolean(onlyOnce) };
		const participants = await readPeople(parameters, group.instance, readNumberOptions(options));
		return {
			item,
			...group,
			asked: participants.map((participant): InviteRow => ({ ...ofRow, participant })),
			includeInputFields: options.boolean(includeInputFields),
			options: { ...options.values(INVITE_FIELDS), maxRetries: 0 },
		};
	};
}
