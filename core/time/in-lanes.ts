/** Does the work of each, so many at once: those behind the first ones begin when one before them has ended, in their order. */
export async function inLanes<One>(
  all: readonly One[],
  most: number,
  work: (one: One, at: number) => Promise<unknown>,
): Promise<void> {
  const waiting = all.entries();
  const lane = async () => {
    for (const [at, one] of waiting) await work(one, at);
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, lane));
}
