import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RaceOrder, RaceReport } from "../support/counters-race.ts";
import { describeWithRedis, startRedisServer } from "../support/redis-server.ts";

const racer = fileURLToPath(new URL("../support/counters-racer.ts", import.meta.url));
const racers = 4;

type Race = (order: RaceOrder) => Promise<RaceReport[]>;

interface Racers {
  readonly race: Race;
  end(): Promise<void>;
}

/** So many messages of these processes, from the next one on. */
const messages = (children: readonly ChildProcess[], count: number): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    const heard: unknown[] = [];
    const hear = (message: unknown) => {
      if (heard.push(message) === count) end();
    };
    const ended = (code: number | null) => {
      reject(new Error(`a racer ended with ${code}`));
      end();
    };
    const end = () => {
      for (const child of children) child.off("message", hear).off("exit", ended);
      resolve(heard);
    };
    for (const child of children) child.on("message", hear).on("exit", ended);
  });

/** Starts processes that race for the same counters, four of them or one that supervises four. */
async function start(...places: readonly string[]): Promise<Racers> {
  const children = places.map((place) => fork(racer, [place], { execArgv: ["--import", "tsx"] }));
  const ended = Promise.all(children.map((child) => once(child, "exit")));
  await messages(children, racers);
  return {
    async race(order) {
      const reports = messages(children, racers);
      for (const child of children) child.send(order);
      return (await reports) as RaceReport[];
    },
    // They end when nobody gives orders any more.
    async end() {
      for (const child of children) child.disconnect();
      await ended;
    },
  };
}

const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

function racesAreFair(begin: () => Promise<Racers>): void {
  let race: Race;
  beforeAll(async () => {
    const racers = await begin();
    race = racers.race;
    return () => racers.end();
  }, 60_000);

  it("grants exactly the limit to 2,000 claims of four processes, ten times over", async () => {
    for (let round = 0; round < 10; round++) {
      const reports = await race({ race: "units", key: `round ${round}`, claims: 500, limit: "1000" });
      expect(reports.reduce((total, { granted }) => total + granted, 0)).toBe(1000);
      expect(Math.max(...reports.map(({ most }) => Number(most)))).toBe(1000);
    }
  }, 15_000);

  it("never holds and spends more money than there is, and loses none", async () => {
    const limit = 100n * 10n ** 15n;
    const reports = await race({ race: "money", key: "budget", claims: 250, limit: `${limit}` });
    const spent = sum(reports.map((report) => report.spent));
    for (const { most } of reports) expect(BigInt(most)).toBeLessThanOrEqual(limit);
    expect(spent).toBeLessThanOrEqual(limit);
    expect(sum(reports.map(({ held }) => held))).toBeGreaterThan(0n);
    // A look at what is there in the end: everything was settled, once.
    const looks = await race({ race: "units", key: "budget", claims: 1, limit: `${spent + BigInt(racers)}` });
    expect(looks.map(({ granted }) => granted)).toEqual([1, 1, 1, 1]);
    const [last = 0n] = looks.map(({ most }) => BigInt(most)).sort((a, b) => (a < b ? 1 : -1));
    expect(last).toBe(spent + BigInt(racers));
  }, 15_000);
}

describe("four workers of a machine", () => {
  racesAreFair(() => start(`${racers}`));
});

describeWithRedis("four processes that share a Redis", () => {
  racesAreFair(async () => {
    const redis = await startRedisServer();
    const { race, end } = await start(redis.url, redis.url, redis.url, redis.url);
    return {
      race,
      async end() {
        await end();
        await redis.stop();
      },
    };
  });
});
