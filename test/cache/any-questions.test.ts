import fc from "fast-check";
import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { eventually } from "../support/calm.ts";
import { chance } from "../support/chance.ts";
import { describeWithRedis, startRedisServer } from "../support/redis-server.ts";
import { type CacheDeployment, startCacheDeployment } from "./deployment.ts";
import { stepsOf } from "./steps.ts";
import { CacheWalk, type Hands } from "./walk.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2082-09-02T10:00Z") }));
afterEach(() => void vi.useRealTimers());

async function expectWalks(deployment: CacheDeployment, hands: Hands, usual: number, remote: boolean): Promise<void> {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(stepsOf(remote), async (steps) => {
      const walk = new CacheWalk(deployment, hands, `run-${run++}`);
      await walk.take(steps);
    }),
    // What a walk leaves behind when it fails would be found by those that look for a shorter one.
    { ...chance(usual), endOnFailure: true },
  );
}

it("whatever is asked, a cache answers what it may, and nothing else", async () => {
  const deployment = await startCacheDeployment({ "cache-memory": { maxEntryBytes: 8192 } });
  const hands = { pass: async (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000) };
  await expectWalks(deployment, hands, 10, false);
});

describeWithRedis("with Redis", () => {
  it("it does so too, and is none while that is away", async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const stores = { redis: { url: server.url, commandTimeout: 2000 }, "cache-redis": { maxEntryBytes: 8192 } };
    const deployment = await startCacheDeployment(stores);
    const until = (available: boolean) => eventually(() => expect(deployment.told.store?.available).toBe(available));
    const client = new Redis(server.url, { lazyConnect: true, retryStrategy: () => 5, maxRetriesPerRequest: null });
    client.on("error", () => undefined);
    onTestFinished(() => client.disconnect());
    const hands = {
      /** Redis has a clock of its own: what is left of every key's time is shortened instead. */
      async pass(seconds: number) {
        vi.setSystemTime(Date.now() + seconds * 1000);
        if (deployment.told.store?.available)
          for (const key of await client.keys("*"))
            await client.pexpire(key, (await client.pttl(key)) - seconds * 1000);
      },
      async away() {
        await server.stop();
        await until(false);
      },
      async back() {
        await server.restart();
        await until(true);
      },
    };
    await until(true);
    await expectWalks(deployment, hands, 3, true);
  });
});
