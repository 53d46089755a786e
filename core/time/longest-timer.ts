/** What a timer can be set for at most, some 25 days: one that is set for longer goes off at once. */
const longest = 2_147_483_647;

/** Milliseconds a timer is set for, so that a very long time is not none at all. */
export const timerFor = (milliseconds: number): number => Math.min(milliseconds, longest);
