/** Which IDs of its members a gateway shows. */
export type Shown = 'number' | 'hiddenId' | 'both';

/** What a poll has seen of somebody. */
interface Seen {
	number: boolean;
	hiddenId: boolean;
	isAdmin: boolean;
}

/**
 * A group of which it is known who truly is who, and what can be told of it by somebody who sees only some IDs. Written
 * from the rules, and about people, where the trigger has only IDs.
 */
export class World {
	/** Whether they are an admin, by person. */
	readonly members = new Map<string, boolean>();

	private seen = new Map<string, Seen>();

	private seemedEmptied = false;

	/** Remembers who is there, and tells nothing. */
	remember(shown: Shown): void {
		this.seen = new Map();
		this.see(shown);
		this.seemedEmptied = false;
	}

	/** What a poll has to tell now, as `joined <person>`. */
	poll(shown: Shown): string[] {
		const hasKindOf = (seen: Seen) =>
			(seen.number && shown !== 'hiddenId') || (seen.hiddenId && shown !== 'number');
		const isRecognized = (person: string) => {
			const seen = this.seen.get(person);
			return seen !== undefined && hasKindOf(seen);
		};
		const gone = [...this.seen].filter(([person]) => !this.members.has(person) || !isRecognized(person));
		const fresh = [...this.members.keys()].filter((person) => !isRecognized(person));
		const isUnclear = ([, seen]: [string, Seen]) => fresh.length > 0 && !hasKindOf(seen);
		const left = gone.filter((one) => !isUnclear(one)).map(([person]) => person);
		const joined = gone.some(([, seen]) => !hasKindOf(seen)) ? [] : fresh;

		const countable = this.seen.size - gone.filter(isUnclear).length;
		if (left.length > 3 && left.length * 5 > countable && !this.seemedEmptied) {
			this.seemedEmptied = true;
			return [];
		}
		this.seemedEmptied = false;
		const changed = [...this.members].filter(
			([person, isAdmin]) => isRecognized(person) && this.seen.get(person)?.isAdmin !== isAdmin,
		);
		this.see(shown);
		return [
			...left.map((person) => `left ${person}`),
			...joined.map((person) => `joined ${person}`),
			...changed.map(([person, isAdmin]) => `${isAdmin ? 'promoted' : 'demoted'} ${person}`),
		].sort();
	}

	private see(shown: Shown): void {
		const seen = [...this.members].map(([person, isAdmin]): [string, Seen] => {
			const before = this.seen.get(person);
			const number = shown !== 'hiddenId';
			const hiddenId = shown !== 'number';
			const isSame = before !== undefined && ((before.number && number) || (before.hiddenId && hiddenId));
			return [
				person,
				{
					number: number || (isSame && before.number),
					hiddenId: hiddenId || (isSame && before.hiddenId),
					isAdmin,
				},
			];
		});
		this.seen = new Map(seen);
	}
}
