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
      // Up for shorter than it takes to find it again, and for longer.
      for (let up = 20; on; up = up === 20 ? 300 : 20) {
        await pause(150);
        await door.restart();
        await pause(up);
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

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
