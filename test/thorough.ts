import type { EngineLine } from './engine/protocol';

/** Whether to run what `npm test` leaves out: all tests on both lines, and properties with many more values. */
export const thorough = process.env.THOROUGH === '1';

/** The lines of n8n to run on: 2.x unless told otherwise, since 1.x takes packages of its own (`npm run test:n8n-1`). */
export const lines = (process.env.N8N_LINES ?? '2').split(',').map(Number) as EngineLine[];

/**
 * With how many values a property is tried: so many new ones in a thorough run (or `RUNS`), and a few otherwise, the
 * same each time, so that a red run tells of a change.
 */
export const runsOf = (many: number, few = Math.ceil(many / 5)): { numRuns: number; seed?: number } =>
	thorough ? { numRuns: Number(process.env.RUNS ?? many) } : { numRuns: few, seed: 1 };

/** A size that takes seconds, or in a run that isn't thorough a tenth of it. */
export const sizeOf = (much: number): number => (thorough ? much : much / 10);
