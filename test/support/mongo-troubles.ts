import type { MongoDoor } from "./mongo-server.ts";

/** One way in which a store is away, begun; what it returns ends it. */
export type Trouble = (door: MongoDoor) => Promise<() => Promise<void>>;

/** What happens to a store that others depend on. */
export const troubles: Readonly<Record<string, Trouble>> = {
  stopped: async (door) => {
    await door.stop();
    return () => door.restart();
  },
  frozen: async (door) => {
    door.freeze();
    return async () => door.thaw();
  },
  slow: async (door) => {
    door.slow(2000);
    return async () => door.slow(0);
  },
  flapping: async (door) => {
    let on = true;
    await door.stop();
    const flaps = (async () => {
      for (let turn = 0; on; turn++) {
        await pause(downs[turn % downs.length] ?? 0);
        await door.restart();
        await pause(ups[turn % ups.length] ?? 0);
        if (on) await door.stop();
      }
    })();
    return async () => {
      on = false;
      await flaps;
    };
  },
  "cut off": async (door) => {
    door.drop();
    return async () => undefined;
  },
};

/** Milliseconds down: two that a call may sit out, and one that none does, so that whoever goes on calling meets it. */
const downs = [150, 150, 2500];

/** Milliseconds up: for shorter than it takes to find it again, and for longer. */
const ups = [20, 300];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
