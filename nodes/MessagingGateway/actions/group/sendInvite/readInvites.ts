import {
	batchInterval,
	defaultCountryCode,
	dryRun,
	includeInputFields,
	readNumberOptions,
} from '../../../fields/groupOptions';
import { readGroup } from '../../../fields/locators';
import { limitsOf, Options, optionsOf, timeout, type Field, type Switch } from '../../../fields/options';
import { readText } from '../../../input/texts';
import type { Parameters } from '../../../run/parameters';
import type { PeopleReader } from '../numbers';

/** Options that only Send Invite has, or has with another default, by their names. */
export const inviteFields = {
	batchInterval: { ...batchInterval, default: 30_000 },
	maxPerRun: {
		displayName: 'Maximum Invites per Run',
		name: 'maxPerRun',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		description: 'Messages to send in one run at most. The others are postponed.',
	},
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
export type InviteOptions = Awaited<ReturnType<typeof readInviteItem>>['options'];

/** Reads and checks one item. @throws why nothing is sent for it */
export async function readInviteItem(readPeople: PeopleReader, parameters: Parameters, item: number) {
	const options = new Options(parameters);
	const group = readGroup(parameters);
	const message = readText(
		parameters.get('message'),
		'The message',
		"Enter a 'Message'. The group's link is put below it",
	);
	const isOnlyOnce = options.boolean(onlyOnce);
	const participants = await readPeople(parameters, group.instance, readNumberOptions(options));
	return {
		item,
		...group,
		asked: participants.map((participant) => ({
			item,
			...group,
			participant,
			message,
			onlyOnce: isOnlyOnce,
		})),
		includeInputFields: options.boolean(includeInputFields),
		options: { ...options.values(INVITE_FIELDS), maxRetries: 0 },
	};
}
