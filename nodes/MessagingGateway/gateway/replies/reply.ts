/** What a reply says that lacks what has to be in it. */
export const EMPTY = Symbol('empty');

/**
 * What the body of a 2xx reply says; `undefined` if it isn't such a reply, {@link EMPTY} if it lacks what has to be in it.
 *
 * @param isSilent it took so long to come that the network must have been silent
 */
export type ReplyReader<T> = (body: unknown, isSilent: boolean) => T | typeof EMPTY | undefined;
