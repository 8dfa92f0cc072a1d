/** Groups of `keeper` in the seed of kinds, beside those of `KINDS`. */
export const NOT_AN_ADMIN = '120363000000000105@g.us';
export const NOT_IN_IT = '120363000000000106@g.us';
export const SILENT = '120363000000000107@g.us';
export const UNKNOWN_GROUP = '120363000000000999@g.us';

/** A call that fails, and what a person then reads. */
export interface Failing {
	title: string;
	/** `keeper` if left out. */
	instance?: string;
	group: string;
	more?: object;
	says: RegExp;
	advises: RegExp;
	/** How many requests are made; one if left out. */
	calls?: number;
}

/** What an instance without a connection says on every call about its groups. */
export const CONNECT_FIRST: ReadonlyArray<Omit<Failing, 'group'> & { instance: string; calls: number }> = [
	{ title: 'never connected', instance: 'fresh' },
	{ title: 'logged out', instance: 'loggedOut' },
].map((one) => ({
	...one,
	says: /The instance isn't connected/,
	advises: /Connect the instance/,
	// The live state is asked as well.
	calls: 2,
}));
