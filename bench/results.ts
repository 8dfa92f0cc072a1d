import type { Case, SectionName } from './cases';
import { sections } from './cases';
import type { ContenderName } from './contenders/contenders';
import type { Figures, Result } from './measure';
import type { PackageFacts } from './package-facts';
import type { TimeByPart } from './profile';
import type { Spread } from './statistics';

/** Everything that was measured. */
export interface Results {
	cases: Map<Case, Result>;
	/** Of each profiled case, round by round. */
	profiles: Map<Case, TimeByPart[]>;
	/** Of Sync's plan, by size, in ms. */
	plans: Map<number, Spread>;
	facts: PackageFacts;
	/** How many programs wanted to run on average while the benchmark began (`os.loadavg`). */
	load: number;
}

/** The figures of a contender in a case of a section. @throws Error where there are none */
export function figuresOf(
	{ cases }: Results,
	section: SectionName,
	label: string,
	contender: ContenderName,
): Figures {
	const found = sections[section].cases.find((one) => one.label === label);
	const figures = found && cases.get(found)?.get(contender);
	if (figures === undefined) throw new Error(`${section}, ${label} has no figures of ${contender}`);
	return figures;
}
