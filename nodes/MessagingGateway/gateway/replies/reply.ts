/** Stands for a reply that lacks its essential part. */
export const EMPTY = Symbol('empty');

/**
 * Reads the body of a 2xx reply.
 *
 * @param isSilent whether it took so long that the network must have been silent
 * @returns `undefined` if it isn't such a reply, {@link EMPTY} if it lacks its essential part
 */
export type ReplyReader<T> = (body: unknown, isSilent: boolean) => T | typeof EMPTY | undefined;
