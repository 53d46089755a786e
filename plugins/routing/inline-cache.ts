/** The most recently used of what was made for a key; the others are made again when they are asked for again. */
export function recentlyUsed<Value>(most: number): { get(key: string, make: () => Value): Value } {
  const kept = new Map<string, Value>();
  return {
    get(key, make) {
      const known = kept.get(key);
      const value = known ?? make();
      // A map keeps the order of insertion: the first key is the one that was not asked for the longest.
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
