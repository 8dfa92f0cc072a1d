import type { Call, Gateway } from '../../gateway/gateway';
import { CUSTOMERS } from '../../gateway/seed';

export { CUSTOMERS };

/** Groups of the seed: four of `main`, and the one of the second instance. */
export const JUST_ME = '120363000000000002@g.us';
export const HIDDEN_NUMBERS = '120363000000000003@g.us';
export const NOT_ADMIN = '120363000000000006@g.us';
export const SECOND_INSTANCE = 'second one/ü';
export const SECOND_GROUP = '120363000000000021@g.us';

/** Groups of `keeper` in the seed of kinds, beside those of `KINDS`. */
export const NOT_AN_ADMIN = '120363000000000105@g.us';
export const NOT_IN_IT = '120363000000000106@g.us';
export const SILENT = '120363000000000107@g.us';
export const UNKNOWN_GROUP = '120363000000000999@g.us';

/** A change as the gateway was asked for it. */
export interface AskedChange {
	instance: string;
	groupJid: string;
	action: string;
	participants: string[];
}

/** So many phone numbers of people whom the seed does not know, from the given one on. */
export function phones(amount: number, from = 0): string[] {
	return Array.from({ length: amount }, (_, i) => String(4_915_200_000_000 + from + i));
}

/** The same as rows of a sheet. */
export function rows(amount: number, from = 0): Array<{ phone: string }> {
	return phones(amount, from).map((phone) => ({ phone }));
}

/** The same with a country code for certain: the own account isn't asked for because of them. */
export const abroad = (amount: number, from = 0) =>
	rows(amount, from).map(({ phone }) => ({ phone: `+${phone}` }));

/** How the network names somebody. */
export function jidOf(phone: string): string {
	return `${phone}@s.whatsapp.net`;
}

/** What the gateway was asked to change, in order. */
export function changesAsked({ calls }: Pick<Gateway, 'calls'>): AskedChange[] {
	return calls.filter(isChange).map(({ path, body }) => {
		const { pathname, searchParams } = new URL(path, 'http://gateway');
		const { action, participants }: { action: string; participants: string[] } = JSON.parse(
			JSON.stringify(body),
		);
		return {
			instance: decodeURIComponent(pathname.split('/').at(-1) ?? ''),
			groupJid: searchParams.get('groupJid') ?? '',
			action,
			participants,
		};
	});
}

/** Everything else that the gateway was asked, in order. */
export function readsAsked({ calls }: Pick<Gateway, 'calls'>): string[] {
	return calls.filter((call) => !isChange(call)).map(({ method, path }) => `${method} ${path}`);
}

const isChange = ({ path }: Call): boolean => path.startsWith('/group/updateParticipant/');

/** How many people of `phones` are in a group now. */
export function membersAmong(
	gateway: Gateway,
	people: string[],
	group = CUSTOMERS,
	instance = 'main',
): string[] {
	const members = new Set(gateway.group(instance, group)?.members);
	return people.filter((phone) => members.has(jidOf(phone)));
}

/** The numbers from 0 to below the given one. */
export function upTo(amount: number): number[] {
	return Array.from({ length: amount }, (_, i) => i);
}
