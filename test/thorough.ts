/** Whether to run what `npm test` leaves out: all tests on both lines, and properties with many more values. */
export const thorough = process.env.THOROUGH === '1';

/** How many values a property is tried with: so many in a thorough run, a few otherwise. */
export const runsOf = (many: number): { numRuns: number } => ({
	numRuns: thorough ? many : Math.ceil(many / 5),
});
