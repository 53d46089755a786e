import { afterAll, beforeAll, describe } from "vitest";
import { countersClerk, countersTopic, SupervisedCounters } from "../../core/counters-kit/supervised-counters.ts";
import { MemoryCounters, type RedisService } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { RedisCounters } from "../../plugins/counters-redis/redis-counters.ts";
import type { RedisConnection } from "../../plugins/redis/connection.ts";
import { supervisedBy, timedRedis } from "../support/counters.ts";
import { connectTo, describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";
import { holdsTheCountersContract, type SharedCounters } from "./counters.ts";

/** A clock that stands still until it is told otherwise. */
function clock(from = 1_800_000_000_000) {
  let time = from;
  return {
    time: () => time,
    async pass(milliseconds: number) {
      time += milliseconds;
    },
  };
}

const patience = { timeout: 5_000, log: silentLogger };

describe("counters in the memory of a process", () => {
  holdsTheCountersContract(async (): Promise<SharedCounters> => {
    const { time, pass } = clock();
    const one = new MemoryCounters({ now: time });
    return { one, other: one, time, pass };
  });
});

describe("counters of the workers of a machine", () => {
  holdsTheCountersContract(async (): Promise<SharedCounters> => {
    const { time, pass } = clock();
    const hire = supervisedBy({ [countersTopic]: countersClerk(silentLogger, time) });
    const join = () => new SupervisedCounters({ desk: hire().desk, most: 1000, ...patience });
    return { one: join(), other: join(), time, pass };
  });
});

describeWithRedis("counters in Redis", () => {
  let server: RedisServer;
  let connections: RedisConnection[];
  let deployments = 0;
  beforeAll(async () => {
    server = await startRedisServer();
    connections = await Promise.all([1, 2].map(() => connectTo(server.url)));
  });
  afterAll(async () => {
    for (const connection of connections) await connection.close();
    await server.stop();
  });

  holdsTheCountersContract(async (): Promise<SharedCounters> => {
    const { time, pass } = clock(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
    const keyPrefix = `test:${deployments++}:`;
    const [first] = connections;
    const join = (redis: RedisService) => new RedisCounters({ redis: timedRedis(redis, keyPrefix, time), ...patience });
    const [one, other] = connections.map(join);
    if (!first || !one || !other) throw new Error("two are needed");
    return {
      ...{ one, other, time },
      async pass(milliseconds) {
        await pass(milliseconds);
        await shorten(first, `${keyPrefix}counters:*:o:*`, milliseconds);
      },
    };
  });
});

/** Steps done once are forgotten by Redis itself, which goes by its own clock: they get as much less of it. */
async function shorten(redis: RedisService, pattern: string, milliseconds: number): Promise<void> {
  const keys = (await redis.command("KEYS", pattern)) as Buffer[];
  for (const key of keys) {
    const left = Number(await redis.command("PTTL", key));
    await redis.command("PEXPIRE", key, Math.max(0, left - milliseconds));
  }
}
