/** Milliseconds in which the same trouble is told once. */
const pause = 60_000;

/** Troubles that are remembered, at most: beyond them all are told anew. */
const most = 1_000;

/**
 * Whether a trouble is to be told: when it is new, and once a minute while it lasts. Gives how often it was met since it was told
 * last, this time included; nothing where that is too soon. `now` in milliseconds.
 */
export function seldom(now: () => number = Date.now): (trouble: string) => number | undefined {
  const told = new Map<string, { at: number; times: number }>();
  return (trouble) => {
    const last = told.get(trouble);
    if (last && now() - last.at < pause) {
      last.times++;
      return undefined;
    }
    if (told.size >= most) told.clear();
    told.set(trouble, { at: now(), times: 0 });
    return (last?.times ?? 0) + 1;
  };
}
