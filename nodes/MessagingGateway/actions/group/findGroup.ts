import { findOrMake } from '../../common/maps';
import { NothingSent, Problem } from '../../common/problem';
import { comparable, quote } from '../../common/text';
import { asUnsent, failureBehind } from '../../gateway/failures/gatewayFailure';
import type { Group } from '../../gateway/replies/groups';
import type { RequestOptions } from '../../gateway/sender';
import type { GroupRef } from '../../groups/change';
import { identityOf, type Identity } from '../../groups/identity';
import { keep, keepsAny, kept, shelfKey } from '../../run/memory';
import type { Run } from '../../run/operation';
import { readFirst } from './readFirst';

/** A group by its name, at an instance. */
interface Named {
	instance: string;
	subject: string;
}

/** Notes which group a name means: members rename groups, and a list may lack one for a night. */
export function rememberGroup(
	run: Run,
	{ instance, subject }: Named,
	groupJid: string,
	{ dryRun = false } = {},
): void {
	const name = String(comparable(subject));
	run.account(instance).noteGroup(name, groupJid);
	if (!dryRun) keep(run.context, 'groups', shelfKey(run.session.baseUrl, instance, name), groupJid);
}

/** Gives the ID of the group that was made or found for a name, as the process, or anything, knows it. */
export function rememberedGroup(
	{ account, session, context }: Run,
	{ instance, subject }: Named,
	where: 'process' | 'anywhere',
): string | undefined {
	const name = String(comparable(subject));
	const known = account(instance).groups.get(name);
	if (known !== undefined || where === 'process') return known;
	return kept(context, 'groups', shelfKey(session.baseUrl, instance, name));
}

/** Lists the groups of exactly this name, the newest first, without communities and their announcements. */
export function namedGroups(groups: readonly Group[], subject: string): Group[] {
	const name = comparable(subject);
	const createdAt = ({ element }: Group) => Number(element.creation) || 0;
	return groups
		.filter(({ element }) => comparable(element.subject) === name)
		.filter(({ isCommunity, announcementsOf }) => !isCommunity && announcementsOf === undefined)
		.sort((group, other) => createdAt(other) - createdAt(group));
}

/** Whether an account may have made a group: neither a hidden ID nor an unknown account tells that. */
function mayBeOf({ element }: Group, own: Identity | undefined): boolean {
	const owner = identityOf(typeof element.owner === 'string' ? element.owner : undefined);
	return owner?.kind !== 'phone' || own?.kind !== 'phone' || owner.canonical === own.canonical;
}

/** Finds groups that are there already, in one run: by ID, and by name only where none is remembered. */
export class GroupFinder {
	private readonly lists = new Map<string, Promise<Group[]>>();

	/** Remembered groups that the account is in no more. */
	readonly gone = new Set<string>();

	constructor(private readonly run: Run) {}

	/** Finds the group that a name means. @returns `undefined` if it's missing @throws why nobody can tell */
	async find(wanted: Named, options: RequestOptions & { dryRun: boolean }) {
		const found = (await this.findRemembered(wanted, options)) ?? (await this.findNamed(wanted, options));
		if (found !== undefined) rememberGroup(this.run, wanted, found.id, options);
		return found;
	}

	private async findRemembered(wanted: Named, options: RequestOptions) {
		const groupJid = rememberedGroup(this.run, wanted, 'anywhere');
		if (groupJid === undefined) return undefined;
		return await this.read({ ...wanted, groupJid }, options).catch((reason: unknown) => {
			if (failureBehind(reason)?.policy.stop !== 'group') throw reason;
			this.gone.add(groupJid);
			return undefined;
		});
	}

	private async findNamed(wanted: Named, options: RequestOptions) {
		const { instance, subject } = wanted;
		const named = namedGroups(await this.list(instance, options), subject);
		const { own } = this.run.account(instance);
		const [newest, ...others] = named.filter((group) => mayBeOf(group, own));
		if (newest === undefined && named.length > 0)
			throw new Problem(
				'A group of this name exists that another account made. Use another name, or its ID',
				"Use another 'Name', or Sync with the ID of that group",
			);
		if (others.length > 0)
			this.run.hints.add(`${others.length + 1} groups are named ${quote(subject)}: the newest counts`);
		return newest && (await this.read({ instance, groupJid: newest.id }, options, newest.size));
	}

	/** Reads a group before anything is sent to it. @throws why nothing is sent */
	async read(group: GroupRef, options: RequestOptions, listed?: number) {
		const { size = listed, members } = (await readFirst(this.run, group, options)) ?? {};
		return { id: group.groupJid, size, members };
	}

	/** Lists the groups of an instance once. @throws why nobody can tell whether one is missing */
	private async list(instance: string, options: RequestOptions): Promise<Group[]> {
		return await findOrMake(this.lists, instance, () => this.readList(instance, options));
	}

	/** Reads the list once, before the run makes its first group: a new account's is empty. */
	private async readList(instance: string, options: RequestOptions): Promise<Group[]> {
		const { client, context, session, account } = this.run;
		const groups = await client.groups(instance, options).catch((problem: unknown) => {
			throw asUnsent(problem, UNREAD);
		});
		const key = shelfKey(session.baseUrl, instance);
		const isRemembered = account(instance).groups.size > 0 || keepsAny(context, 'groups', key);
		if (groups.length === 0 && isRemembered)
			throw new NothingSent(`the gateway lists no groups, though some were made: ${CANT_TELL}`, TURN_OFF);
		if (groups.length > 0 && groups.every(({ subject }) => subject === undefined))
			throw new NothingSent(`no group in the gateway's list has a name: ${CANT_TELL}`, TURN_OFF);
		return groups;
	}
}

const CANT_TELL = "'Only If Missing' can't tell whether this one is there";
const UNREAD = `the groups couldn't be read, so ${CANT_TELL}`;
const TURN_OFF =
	"Look at the gateway, then run this again. To create it in any case, turn off 'Only If Missing'";
