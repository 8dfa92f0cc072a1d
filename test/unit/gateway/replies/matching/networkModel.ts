import fc from 'fast-check';
import { ACTIONS, type Action } from '../../../../../nodes/MessagingGateway/groups/outcomes';

/** One row as gateways send it. */
export interface Row {
	status?: unknown;
	jid?: unknown;
	content?: { attrs?: { jid?: unknown; phone_number?: unknown; error?: unknown } };
}

/** Somebody on the network, who has one number. */
interface Account {
	number: string;
	/** The other form of the number, which only some networks know. */
	otherForm: string;
	lid: string;
	/** What the network says of adding them; `200` where it does. */
	onAdd: string;
	standing: 'stranger' | 'member' | 'admin';
}

/** A gateway, the network behind it, and a group. */
export interface World {
	accounts: Account[];
	action: Action;
	/** What is sent, each number once. */
	sent: string[];
	rewrites: boolean;
	/** Whether the network finds a person by the other form of their number. */
	knowsBothForms: boolean;
	/** What rows call somebody. */
	names: 'number' | 'hiddenWithNumber' | 'hidden' | 'nothing';
	/** Whether two entries of the request that became one get one row. */
	merges: boolean;
	codesAsNumbers: boolean;
}

/** A full number and its short form. Gateways shorten the first three, and leave the others. */
export const FORMS: ReadonlyArray<readonly [full: string, short: string]> = [
	['5215512345678', '525512345678'],
	['5491112345678', '541112345678'],
	['5533999990071', '553399990071'],
	['5511999990001', '551199990001'],
	['4915112345678', '491511234567'],
	['447700900123', '447700900124'],
];
const SHORTENED = new Map(FORMS.slice(0, 3));
const lidOf = (person: number) => `1888777666${person}@lid`;
const jidOf = (number: string) => `${number}@s.whatsapp.net`;

const isPlain = (sent: string) => !/@(?:lid|s\.whatsapp\.net)$/.test(sent);
const digitsIn = (id: string) => id.replace(/[:@].*/, '');

/** The number that gateways are known to make of one, where they make another. */
export function shortened(sent: string): string | undefined {
	return isPlain(sent) ? SHORTENED.get(digitsIn(sent)) : undefined;
}

/** One name for spellings that gateways take for the same number, of which a request has only one. */
function numberKey(sent: string): string {
	const digits = digitsIn(sent);
	return sent === jidOf(digits) && shortened(digits) === undefined ? digits : sent;
}

export const spellings = FORMS.flatMap(([full, short], person) => [
	...[full, short].flatMap((number) => [number, number, jidOf(number)]),
	lidOf(person),
]);

export const worlds: fc.Arbitrary<World> = fc.record({
	accounts: fc.tuple(
		...FORMS.map(([full, short], person) =>
			fc
				.record({
					isShort: fc.boolean(),
					onAdd: fc.constantFrom('200', '200', '200', '403', '408', '401', '500'),
					standing: fc.constantFrom<Account['standing'][]>('stranger', 'member', 'admin'),
				})
				.map(({ isShort, onAdd, standing }): Account => ({
					number: isShort ? short : full,
					otherForm: isShort ? full : short,
					lid: lidOf(person),
					onAdd,
					standing,
				})),
		),
	),
	action: fc.constantFrom(...ACTIONS),
	sent: fc.uniqueArray(fc.constantFrom(...spellings), { minLength: 1, maxLength: 5, selector: numberKey }),
	rewrites: fc.boolean(),
	knowsBothForms: fc.boolean(),
	names: fc.constantFrom<World['names'][]>('number', 'hiddenWithNumber', 'hidden', 'nothing'),
	merges: fc.boolean(),
	codesAsNumbers: fc.boolean(),
});

/** The place in {@link FORMS} of the person that an ID spells. */
export function personIn(id: string): number {
	return FORMS.findIndex((forms, person) => forms.includes(digitsIn(id)) || id === lidOf(person));
}

/** Who has an ID, as the network knows it. */
function accountBy(world: World, id: string): Account | undefined {
	if (id.endsWith('@lid')) return world.accounts.find(({ lid }) => lid === id);
	const digits = digitsIn(id);
	return world.accounts.find(
		({ number, otherForm }) => number === digits || (world.knowsBothForms && otherForm === digits),
	);
}

/**
 * Carries out the request.
 *
 * @returns the rows, and the standing that everybody has then
 */
export function carryOut(world: World): { rows: Row[]; standing: Map<Account, Account['standing']> } {
	const { action, names } = world;
	const standing = new Map(world.accounts.map((account) => [account, account.standing]));
	const change = (account: Account): string => {
		const before = standing.get(account) ?? 'stranger';
		if (action === 'add') {
			if (before !== 'stranger') return '409';
			if (account.onAdd === '200') standing.set(account, 'member');
			return account.onAdd;
		}
		if (before === 'stranger') return '404';
		standing.set(account, action === 'remove' ? 'stranger' : action === 'promote' ? 'admin' : 'member');
		return '200';
	};
	const decided = new Map<Account, string>();
	const asked = world.sent.map((one) => {
		const number = (world.rewrites ? shortened(one) : undefined) ?? digitsIn(one);
		return one.endsWith('@lid') ? one : jidOf(number);
	});
	const rows = asked.map((id) => {
		const account = accountBy(world, id);
		if (account === undefined) return rowOf(world, '404', names === 'nothing' ? undefined : id);
		const code = decided.get(account) ?? change(account);
		decided.set(account, code);
		if (names === 'nothing') return rowOf(world, code);
		if (id.endsWith('@lid') && names !== 'hiddenWithNumber') return rowOf(world, code, id);
		if (names === 'number') return rowOf(world, code, jidOf(account.number));
		return rowOf(world, code, account.lid, names === 'hidden' ? undefined : jidOf(account.number));
	});
	const seen = new Set<string>();
	const isFirst = (_: Row, i: number) => {
		const id = accountBy(world, asked[i] ?? '')?.lid ?? asked[i] ?? '';
		return !seen.has(id) && seen.add(id);
	};
	return { rows: world.merges ? rows.filter(isFirst) : rows, standing };
}

function rowOf({ codesAsNumbers }: World, code: string, jid?: string, phone?: string): Row {
	const status = codesAsNumbers ? Number(code) : code;
	const attrs = { jid, ...(phone !== undefined && { phone_number: phone }) };
	return { status, ...(jid !== undefined && { jid, content: { attrs } }) };
}

/**
 * Whether the group is as asked for the person under a number as given; where the network knows nobody under it, under
 * the one that the gateway made of it.
 */
export function isAsAsked(world: World, given: string, standing: Map<Account, Account['standing']>): boolean {
	const other = world.rewrites ? shortened(given) : undefined;
	const account = accountBy(world, given) ?? (other === undefined ? undefined : accountBy(world, other));
	const now = (account && standing.get(account)) ?? 'stranger';
	const asAsked: Record<Action, boolean> = {
		add: now !== 'stranger',
		remove: now === 'stranger',
		promote: now === 'admin',
		demote: now === 'member',
	};
	return asAsked[world.action];
}
