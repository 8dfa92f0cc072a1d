import type { Identity } from '../identity';
import { isEmpty, withFact, type Facts } from '../memory/facts';
import { rowTextAfter } from '../memory/rowText';
import type { InviteNote } from './memory';
import type { InviteRow } from './plan';

/** Who was invited, by what rows remember. Of several rows of a person the first that says anything counts for all. */
export class RowInvites {
	private readonly people = new Map<string, Facts>();

	constructor(rows: readonly InviteRow[]) {
		for (const { groupJid, participant, memory } of rows) {
			const person = personIn(groupJid, participant.identity);
			if (memory && isEmpty(this.people.get(person) ?? {})) this.people.set(person, memory.facts);
		}
	}

	/** Whether a row of a person remembers. */
	has(groupJid: string, id: Identity): boolean {
		return this.people.has(personIn(groupJid, id));
	}

	/** What is remembered of a person's invite. */
	find(groupJid: string, id: Identity): InviteNote | undefined {
		const { invited, maybeInvited } = this.factsOf(groupJid, id);
		if (invited) return { at: invited.at, isSure: true };
		return maybeInvited && { at: maybeInvited.at, isSure: false };
	}

	/**
	 * Notes an invite.
	 *
	 * @returns takes it back
	 */
	note(groupJid: string, id: Identity, { at, isSure }: InviteNote): () => void {
		const before = this.factsOf(groupJid, id);
		const name = isSure ? 'invited' : 'maybeInvited';
		this.people.set(personIn(groupJid, id), withFact(before, name, { at }));
		return () => void this.people.set(personIn(groupJid, id), before);
	}

	/** The text that the row is to remember; `undefined` without Row Memory. */
	textAfter({ groupJid, participant, memory, memoryText, dryRun }: InviteRow): string | undefined {
		return memory === undefined || dryRun
			? memoryText
			: rowTextAfter(memory, this.factsOf(groupJid, participant.identity));
	}

	private factsOf(groupJid: string, id: Identity): Facts {
		return this.people.get(personIn(groupJid, id)) ?? {};
	}
}

function personIn(groupJid: string, { canonical }: Identity): string {
	return `${groupJid} ${canonical}`;
}
