import { badPhone, jidOf, type SyncPlan, type SyncRow } from './plan';
import { idsOf, idsOfMember, same, sameExactly, type Ids, type Member } from './people';

/** What the contract lets become of somebody: a request, or words. */
export interface Choice {
	action: 'add' | 'remove' | 'none';
	outcome?: string;
	applied?: boolean | null;
	reason?: string;
}

/** A participant of a row that can be read. */
export interface Named {
	item: number;
	place: number;
	text: string;
	ids: Ids;
	should: boolean;
	/** The members that it is under any form or id. */
	fits: Member[];
	/** Who goes where it is to leave; nobody where several fit. */
	goes: Member | undefined;
	choices: Choice[];
}

export interface Unlisted {
	member: Member;
	choices: Choice[];
	/** A row that can't be read names this member. */
	perhapsListed: boolean;
}

/** What is to become of a group, given the list of members that the node was shown. */
export interface Expected {
	groupJid: string;
	instance: string;
	first: number;
	named: Named[];
	unlisted: Unlisted[];
	unlistedMode: string;
	members: Member[];
	dry: boolean;
	mayBeDry: boolean;
	/** Why nothing may be sent. */
	stops: string[];
	/** Why the contract lets nothing be sent. */
	mayStop: string[];
	percent: number;
	/** How many members would be removed, at least. */
	removals: number;
	/** The list leaves somebody out. */
	lied: boolean;
}

/** The items that no node can take; `unclear`: those that the contract leaves open. */
export function badItems({ rows, options }: SyncPlan): {
	bad: Set<number>;
	unclear: Set<number>;
	noGroup: boolean;
} {
	const bad = new Set<number>();
	const unclear = new Set<number>();
	rows.forEach((row, i) => {
		const fine =
			!row.phones.includes(badPhone) &&
			row.group !== 'true' &&
			typeof row.should === 'boolean' &&
			['keep', 'remove'].includes(row.unlisted) &&
			(options.protected === undefined || row.protect !== '12');
		if (!fine) bad.add(i);
	});
	const own = new Set(bad);
	rows.forEach((row, i) => {
		rows.forEach((other, j) => {
			if (j <= i || row.group === 'true' || other.group === 'true') return;
			if (jidOf(row.group) !== jidOf(other.group)) return;
			const instances = row.instance !== other.instance;
			const meet = (is: typeof same) =>
				row.should !== other.should &&
				row.phones.some((one) => other.phones.some((two) => is(idsOf(one), idsOf(two))));
			if (!instances && !meet(same)) return;
			for (const one of [i, j]) {
				// What exact numbers make of a contradiction between two forms is left open.
				const open = !instances && options.exactNumbers === true && !meet(sameExactly);
				const doubtful = open || (own.has(one === i ? j : i) && !own.has(one));
				if (doubtful) unclear.add(one);
				else bad.add(one);
			}
		});
	});
	return { bad, unclear, noGroup: rows.some(({ group }) => group === 'true') };
}

/** Lists what can become of everybody in a group and in its rows. */
export function expect(
	plan: SyncPlan,
	groupJid: string,
	members: Member[] | undefined,
	owner: string | undefined,
	lied: boolean,
): Expected {
	const { bad, noGroup } = badItems(plan);
	const rowsOf = plan.rows.flatMap((row, item) => (jidOf(row.group) === groupJid ? [{ row, item }] : []));
	const [first] = rowsOf;
	if (first === undefined) throw new Error('Nobody names the group');
	const good = rowsOf.filter(({ item }) => !bad.has(item));
	const all = members ?? [];
	const ids = new Map(all.map((member) => [member, idsOfMember(member)]));
	const of = (member: Member): Ids => ids.get(member) ?? { numbers: [], lids: [] };
	const numbered = (member: Member) => of(member).numbers.length > 0;
	const own: Ids = { numbers: owner === undefined ? [] : [owner], lids: [] };
	const guarded = rowsOf.flatMap(({ row }) =>
		plan.options.protected === undefined || row.protect === '12'
			? []
			: row.protect.split(', ').map((one) => idsOf(one)),
	);
	const removeAdmins = first.row.removeAdmins;
	const removeUnlisted = first.row.unlisted === 'remove';
	const held = noGroup || rowsOf.some(({ item }) => bad.has(item));
	const dry = rowsOf.some(({ row }) => row.dry);

	/** With exact numbers, those of whom it is certain that they are this one. */
	const exactlyOf = ({ ids: mine, fits }: Pick<Named, 'ids' | 'fits'>): Member[] =>
		plan.exact ? fits.filter((member) => sameExactly(mine, of(member))) : [];
	const named = good.flatMap(({ row, item }) =>
		row.phones.map((text, place): Named => {
			const mine = idsOf(text);
			const fits = all.filter((member) => same(mine, of(member)));
			const goes = fits.length === 1 ? fits[0] : exactlyOf({ ids: mine, fits })[0];
			return { item, place, text, ids: mine, should: row.should === true, fits, goes, choices: [] };
		}),
	);
	// Only protected people and the own account "always count in all forms": with exact numbers, who should leave and is
	// there as spelled is nobody else, and another form of theirs is another one.
	const leavesExactly = (one: Named) => !one.should && exactlyOf(one).length > 0;
	const inOtherForm = (one: Named, member: Member) =>
		one.fits.includes(member) && !sameExactly(one.ids, of(member));
	const shown = (lid: string) => all.some((member) => of(member).lids.includes(lid));
	const unshown = named.some(({ ids: { lids } }) => lids.some((lid) => !shown(lid)));
	const unshownGuard = guarded.some(({ lids }) => lids.some((lid) => !shown(lid)));
	const missingGuard = [...guarded, own].some(
		(one) => one.numbers.length > 0 && !all.some((member) => same(one, of(member))),
	);
	const none = (outcome: string, applied: boolean | null, reason?: string): Choice => ({
		action: 'none',
		outcome,
		applied,
		...(reason !== undefined && { reason }),
	});
	const rules = (member: Member): Choice[] => [
		...(same(own, of(member)) ? [none('kept', true, 'self')] : []),
		...(guarded.some((one) => same(one, of(member))) ? [none('kept', true, 'protected')] : []),
		...(member.admin === 'superadmin' || (member.admin === 'admin' && !removeAdmins)
			? [none('kept', true, 'admin')]
			: []),
	];
	const ambiguous = none('kept', null, 'ambiguous');
	const remove: Choice = { action: 'remove' };

	for (const one of named) {
		const [member] = one.fits;
		if (one.should) {
			if (plan.exact && exactlyOf(one).length === 0) one.choices.push({ action: 'add' });
			else if (member === undefined) one.choices.push({ action: 'add' });
			else one.choices.push(none('unchanged', true));
			if (one.fits.length > 1) one.choices.push(ambiguous);
			continue;
		}
		if (member === undefined) {
			const lidsKnown = all.every((each) => of(each).lids.length > 0);
			const unsure = one.ids.lids.length > 0 ? !lidsKnown : !all.every(numbered);
			if (one.ids.lids.length > 0 || unsure) one.choices.push(none('unconfirmed', null));
			if (!unsure) one.choices.push(none('unchanged', true));
			// It reads the group, and so it is in it.
			if (same(own, one.ids)) one.choices.push(none('kept', true, 'self'));
			continue;
		}
		const { goes } = one;
		if (goes === undefined) {
			one.choices.push(ambiguous, ...one.fits.flatMap(rules));
			continue;
		}
		one.choices.push(...rules(goes));
		if (one.choices.length > 0) continue;
		const inDoubt = (other: Named) =>
			plan.exact
				? other.should && other.fits.includes(goes)
				: other.fits.length > 1 && other.fits.includes(goes);
		if (named.some(inDoubt)) {
			one.choices.push(ambiguous);
			continue;
		}
		if (!numbered(goes) && missingGuard) {
			one.choices.push(none('kept', null, 'unidentified'));
			continue;
		}
		one.choices.push(remove);
		// What becomes of somebody who should leave by another form than the one that is there is left open.
		if (plan.exact && named.some((other) => !leavesExactly(other) && inOtherForm(other, goes)))
			one.choices.push(ambiguous);
		// What a protected hidden id that nobody shows keeps is left open.
		if (unshownGuard && of(goes).lids.length === 0) one.choices.push(none('kept', null, 'unidentified'));
	}

	const badNamed = rowsOf
		.filter(({ item }) => bad.has(item))
		.flatMap(({ row }) => row.phones.filter((text) => text !== badPhone).map((text) => idsOf(text)));
	const unlisted = all.flatMap((member): Unlisted[] => {
		const mine = named.filter(({ fits }) => fits.includes(member));
		const exactly = mine.filter((one) => !plan.exact || sameExactly(one.ids, of(member)));
		if (exactly.length > 0) return [];
		const doubtful = mine.some((one) => !leavesExactly(one));
		const unsure = [
			...(doubtful ? [ambiguous] : []),
			...(!numbered(member) ? [none('kept', null, 'unidentified')] : []),
			...((unshown || unshownGuard) && of(member).lids.length === 0
				? [none('kept', null, 'unidentified')]
				: []),
			...(held ? [none('kept', null, 'badRow')] : []),
		];
		const choices = [...rules(member), ...unsure];
		// The row that names its number in another form has an item of its own.
		const once = plan.exact && named.some(({ should, fits }) => !should && fits.includes(member));
		const certain = unsure.length > 0 && (unshown || !unshownGuard || held || !numbered(member) || doubtful);
		if (choices.length === 0 || (!certain && rules(member).length === 0)) choices.push(remove);
		return [{ member, choices, perhapsListed: once || badNamed.some((one) => same(one, of(member))) }];
	});

	const leaving = new Set<Member>();
	const perhaps = new Set<Member>();
	for (const { goes, choices } of named)
		if (choices[0]?.action === 'remove' && goes !== undefined)
			(choices.length === 1 ? leaving : perhaps).add(goes);
	if (removeUnlisted)
		for (const { member, choices } of unlisted)
			if (choices.some(({ action }) => action === 'remove'))
				(choices.length === 1 ? leaving : perhaps).add(member);

	const percent = Math.min(...rowsOf.map(({ row }) => row.percent));
	const cap = percent === 0 ? 0 : Math.max(3, Math.floor((percent * all.length) / 100));
	const ownFound = all.some((member) => same(own, of(member)));
	const stops: string[] = [];
	const mayStop: string[] = [];
	if (members === undefined) stops.push('unreadable');
	else if (all.length === 0) stops.push('empty');
	else {
		if (owner !== undefined && !ownFound && all.every(numbered)) stops.push('own account missing');
		for (const member of all) {
			const about = named.filter(({ fits }) => fits.includes(member));
			if (!about.some(({ should }) => should) || about.every(({ should }) => should)) continue;
			const unsure = plan.exact || about.some(({ fits }) => fits.length > 1);
			(unsure ? mayStop : stops).push('wanted and not wanted');
		}
		if (removeUnlisted && !named.some(({ should }) => should)) stops.push('nobody wanted');
		if (removeUnlisted && !all.some(numbered)) stops.push('hidden ids only');
		if (percent < 100 && !dry && leaving.size > cap) stops.push('too many removals');
		if (percent < 100 && leaving.size + perhaps.size > cap) mayStop.push('too many removals');
		if (removeAdmins && !ownFound) {
			if ([...leaving].some(({ admin }) => admin !== null))
				(dry ? mayStop : stops).push('admin removed blindly');
			if ([...perhaps].some(({ admin }) => admin !== null)) mayStop.push('admin removed blindly');
		}
		if (rowsOf.some(({ item, row }) => bad.has(item) && changesRules(row, first.row)))
			mayStop.push('a bad row');
	}
	return {
		groupJid,
		instance: first.row.instance,
		first: first.item,
		named,
		unlisted: removeUnlisted ? unlisted : [],
		unlistedMode: first.row.unlisted,
		members: all,
		dry,
		mayBeDry: dry || plan.rows.some((row) => row.dry),
		stops,
		mayStop,
		percent,
		removals: leaving.size,
		lied,
	};
}

function changesRules(row: SyncRow, first: SyncRow): boolean {
	return row.percent !== first.percent || row.protect !== first.protect;
}
