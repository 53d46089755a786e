import {
  type Claim,
  Counters,
  CountersError,
  type CountersService,
  definePlugin,
  MemoryCounters,
  mostCounted,
  z,
} from "../../core/index.ts";

/**
 * The time that counters made for tests go by, and whether their store is to be had; `lose` empties it, `read` tells what is
 * in it, `held` what of it is only held, `late` says what some claims wait for, and `slow` what the answers to claims do, in a store
 * that does one thing after the other. Where it `isUnreadable` it is there, and
 * gives no answer to who reads it.
 */
export const clock = {
  now: 0,
  storeIsDown: false,
  isUnreadable: false,
  /** Whether what is counted outlasts a reload, and gateways share it. */
  lasting: false,
  lose: (): void => undefined,
  late: (_claims: readonly Claim[]): Promise<unknown> | undefined => undefined,
  slow: (_claims: readonly Claim[]): Promise<unknown> | undefined => undefined,
  read: (_group: string, _keys: readonly string[]): readonly bigint[] => [],
  held: (_group: string, _key: string): bigint => 0n,
};

let lasting: MemoryCounters | undefined;

/** Counters of this process at a time the test sets; the store is said to be away when the test says so. */
export default definePlugin({
  name: "clocked-counters",
  summary: "Counters with a clock that stands still; for tests.",
  options: z.strictObject({}),
  provides: [Counters],
  setup({ provide }) {
    const made = () => new MemoryCounters({ now: () => clock.now });
    let memory = clock.lasting ? (lasting ?? made()) : made();
    lasting = clock.lasting ? memory : undefined;
    clock.lose = () => {
      memory = made();
    };
    clock.late = () => undefined;
    clock.slow = () => undefined;
    clock.read = (group, keys) => memory.read(group, keys);
    clock.held = (group, key) => {
      const looking = { key, rule: "below", limit: mostCounted, amount: 0n, expiresAt: 0 } as const;
      const [there = 0n] = memory.claim(group, [looking]).totals;
      return there - (memory.read(group, [key])[0] ?? 0n);
    };
    const tried = <Answer>(call: () => Answer): Answer => {
      if (clock.storeIsDown) throw new CountersError("away");
      return call();
    };
    const read = (group: string, keys: readonly string[]) => {
      if (clock.isUnreadable) throw new CountersError("no answer");
      return memory.read(group, keys);
    };
    clock.isUnreadable = false;
    const service: CountersService = {
      shared: clock.lasting ? "deployment" : "process",
      get available() {
        return !clock.storeIsDown;
      },
      now: () => clock.now,
      claim(group, claims) {
        const claim = () => {
          const claimed = tried(() => memory.claim(group, claims));
          return clock.slow(claims)?.then(() => claimed) ?? claimed;
        };
        return clock.late(claims)?.then(claim) ?? claim();
      },
      settle: (group, entries, once) => tried(() => memory.settle(group, entries, once)),
      read: (group, keys) => tried(() => read(group, keys)),
      put: (group, entries) => tried(() => memory.put(group, entries)),
    };
    provide(Counters, service);
  },
});
