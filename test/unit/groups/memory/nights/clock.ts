/** Time in a played world, ms since 1970. Nothing waits: a pause moves it on. */
export const clock = { now: 0 };
