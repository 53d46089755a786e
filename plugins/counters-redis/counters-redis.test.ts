import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type Claim, CountersError } from "../../core/index.ts";
import { keepingLogger, startTestGateway } from "../../test/support/gateway.ts";
import { describeWithRedis, freePort, type RedisServer, startRedisServer } from "../../test/support/redis-server.ts";
import { connectTo } from "../redis/testing.ts";
import { RedisCounters, type RedisCountersOptions } from "./redis-counters.ts";

const until = (holds: () => boolean) => expect.poll(holds, { interval: 5, timeout: 15_000 }).toBe(true);

async function connected(url: string, options: Partial<RedisCountersOptions> = {}) {
  const { redis, client } = await connectTo(url, 1_000);
  await until(() => redis.available);
  const log = keepingLogger();
  const counters = new RedisCounters({ redis, timeout: 5_000, log, pause: 100, ...options });
  onTestFinished(() => counters.close());
  return { counters, redis, client, log };
}

const minute = 60_000;
const claimOf = (claim: Partial<Claim> = {}): Claim => ({
  ...{ key: "k", limit: 1_000_000n, rule: "within", amount: 1n, expiresAt: Date.now() + minute },
  ...claim,
});

describeWithRedis("counters in Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  it("lie in one hash slot, and are gone five seconds after their time", async () => {
    const { counters, redis } = await connected(server.url);
    const group = "acme {of} %7B";
    const expiresAt = Date.now() + minute;
    const hold = { id: "request", until: expiresAt };
    const claimed = await counters.claim(group, [
      claimOf({ expiresAt, hold }),
      claimOf({ key: "{other}", expiresAt, carry: { key: "before", share: 1 } }),
    ]);
    await counters.settle(group, [{ key: "third", amount: 1n, expiresAt }], "step");
    const found = (await redis.command("KEYS", "test:counters:{g:acme*")) as Buffer[];
    const keys = found.map(String).sort();
    const start = "test:counters:{g:acme %7Bof%7D %257B}";
    expect(keys).toEqual([`${start}:c:k`, `${start}:c:third`, `${start}:c:{other}`, `${start}:h:k`, `${start}:o:step`]);
    for (const key of keys.slice(0, 4)) expect(await redis.command("PEXPIRETIME", key)).toBe(expiresAt + 5000);
    const remembered = Number(await redis.command("PTTL", `${start}:o:step`));
    expect(remembered).toBeGreaterThan(599_000);
    expect(remembered).toBeLessThanOrEqual(600_000);
    await counters.settle(group, [{ key: "k", amount: 1n, expiresAt, hold: "request" }]);
    expect(await redis.command("HGETALL", `${start}:c:k`)).toEqual(
      ["t", "1", "e", `${expiresAt}`, "b", `${claimed.granted && claimed.claimedAt}`].map(Buffer.from),
    );
    expect(await redis.command("EXISTS", `${start}:h:k`)).toBe(0);
  });

  it("can be counted in a cluster, which refuses keys of several slots", async () => {
    const folder = temporaryFolder();
    const cluster = await startRedisServer([
      ...["--cluster-enabled", "yes", "--cluster-port", `${await freePort()}`, "--dir", folder],
    ]);
    onTestFinished(() => cluster.stop());
    const { counters, redis } = await connected(cluster.url);
    await redis.command("CLUSTER", "ADDSLOTSRANGE", 0, 16383);
    const info = async () => String(await redis.command("CLUSTER", "INFO"));
    await expect.poll(info, { interval: 20, timeout: 10_000 }).toContain("cluster_state:ok");
    await expect(redis.command("MGET", "a", "b")).rejects.toThrow("CROSSSLOT");
    for (const group of ["a", "", "{", "}", "{}"]) {
      const hold = { id: "h", until: Date.now() + minute };
      const carry = { key: "{c}", share: 1 };
      const claims = [claimOf({ hold, carry }), claimOf({ key: "{k}" }), claimOf({ key: "}" })];
      expect(await counters.claim(group, claims)).toMatchObject({ granted: true, totals: [1n, 1n, 1n] });
      const entries = claims.map(({ key, expiresAt }) => ({ key, amount: 1n, expiresAt }));
      expect(await counters.settle(group, entries, "{once}")).toEqual([1n, 2n, 2n]);
      expect(await counters.read(group, ["k", "{k}"])).toEqual([1n, 2n]);
      await counters.put(group, [{ key: "{k}", value: 5n, expiresAt: Date.now() + minute }]);
    }
  });

  it("take one command a call, whatever is in it", async () => {
    const { counters, redis } = await connected(server.url);
    const claims = Array.from({ length: 5 }, (_, at) =>
      claimOf({ key: `r${at}`, carry: { key: `b${at}`, share: 0.5 } }),
    );
    const entries = claims.map(({ key, expiresAt }) => ({ key, amount: 1n, expiresAt }));
    const all = async () => {
      await counters.claim("g", claims);
      await counters.settle("g", entries, "step");
      await counters.read("g", ["r0", "r1"]);
      await counters.put("g", [{ key: "r0", value: 1n, expiresAt: Date.now() + minute }]);
    };
    await all();
    const sent = async () =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(String(await redis.command("INFO", "commandstats")))?.[1]);
    const before = await sent();
    await all();
    expect((await sent()) - before).toBe(4);
  });

  it("send what is asked together without waiting for each other", async () => {
    const { counters, client } = await connected(server.url);
    await counters.claim("g", [claimOf()]);
    const { stream } = client;
    const before = stream.bytesWritten;
    const answers = Array.from({ length: 50 }, () => counters.claim("g", [claimOf({ key: "together" })]));
    // All are on their way before the first answer can be read.
    expect(stream.bytesWritten - before).toBeGreaterThan(50 * 100);
    expect((await Promise.all(answers)).map(({ totals }) => totals[0])).toEqual(
      Array.from({ length: 50 }, (_, at) => BigInt(at + 1)),
    );
  });

  it("end by the clock of Redis, wherever this machine's clock stands", async () => {
    const ahead = 3 * 3_600_000;
    const { counters } = await connected(server.url, {
      local: () => performance.timeOrigin + performance.now() + ahead,
    });
    expect(counters.now()).toBeGreaterThan(Date.now() + ahead - 1000);
    const [sent, { totals }, told] = [Date.now(), await counters.claim("g", [claimOf({ key: "clock" })]), Date.now()];
    expect(totals).toEqual([1n]);
    const off = counters.now() - Date.now();
    expect(Math.abs(off)).toBeLessThanOrEqual((told - sent) / 2 + 5);
    await counters.claim("g", [claimOf({ key: "short", expiresAt: counters.now() + 30 })]);
    await expect.poll(() => counters.read("g", ["short"]), { interval: 5 }).toEqual([0n]);
  });

  it("read the clock without a call, as soon as there is somebody to ask", async () => {
    const { counters } = await connected(server.url, { local: () => performance.now() });
    onTestFinished(counters.tend());
    await until(() => Math.abs(counters.now() - Date.now()) < 1000);
  });
});

describeWithRedis("when Redis is in trouble, counters", () => {
  const timeout = 100;

  /** Claims all the time, ten at once, until it is ended: what became of them, and whether any was late. */
  async function underLoad() {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const made = await connected(server.url, { timeout });
    const outcomes = { granted: 0, failed: 0, other: [] as unknown[], late: 0 };
    let loading = true;
    let claims = 0;
    const one = async () => {
      // However busy the machine is, timers fire in the order in which they are due.
      const due = setTimeout(() => outcomes.late++, 4 * timeout);
      try {
        await made.counters.claim("g", [claimOf({ hold: { id: `${++claims}`, until: Date.now() + minute } })]);
        outcomes.granted++;
      } catch (error) {
        if (error instanceof CountersError) outcomes.failed++;
        else outcomes.other.push(error);
      }
      clearTimeout(due);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const lane = async () => {
      while (loading) await one();
    };
    const lanes = Array.from({ length: 10 }, lane);
    const unhandled: unknown[] = [];
    const hear = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", hear);
    onTestFinished(() => void process.off("unhandledRejection", hear));
    const more = async (which: "granted" | "failed") => {
      const before = outcomes[which];
      await until(() => outcomes[which] > before);
    };
    await more("granted");
    return {
      ...made,
      ...{ server, outcomes, more },
      async end() {
        loading = false;
        await Promise.all(lanes);
        expect({ other: outcomes.other, unhandled }).toEqual({ other: [], unhandled: [] });
        expect(outcomes.late).toBe(0);
      },
    };
  }

  it("reject at once while it is stopped, and count from nothing when it is back empty", async () => {
    const { server, counters, outcomes, more, end } = await underLoad();
    await server.stop();
    await until(() => !counters.available);
    await more("failed");
    await server.restart();
    await until(() => counters.available);
    await more("granted");
    await end();
    const [total] = await counters.read("g", ["k"]);
    expect(total).toBe(0n);
    expect(outcomes.granted).toBeGreaterThan(0);
  });

  it("reject within their deadline while it is frozen, ask nobody then, and come back after a probe", async () => {
    const { server, counters, log, more, end } = await underLoad();
    server.freeze();
    await until(() => !counters.available);
    await more("failed");
    server.thaw();
    await until(() => counters.available);
    await more("granted");
    await end();
    expect(log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "warn: the store of the counters does not answer: nobody asks it for a while",
      "info: the store of the counters answers again",
    ]);
  });

  it("go on where scripts were forgotten", async () => {
    const { redis, counters, more, end } = await underLoad();
    await redis.command("SCRIPT", "FLUSH");
    await more("granted");
    await more("granted");
    expect(counters.available).toBe(true);
    await end();
  });

  it("go on beside one in whose way there is something else", async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const { counters, redis, log } = await connected(server.url);
    await redis.command("LPUSH", "test:counters:{g:g}:c:odd", "no counter");
    for (let time = 0; time < 6; time++)
      await expect(counters.claim("g", [claimOf({ key: "odd" })])).rejects.toThrow(/cannot be used: WRONGTYPE/);
    expect(await counters.claim("g", [claimOf({ key: "even" })])).toMatchObject({ granted: true });
    expect(log.lines.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      "warn: something that is no counter is in the way of one: delete it",
    ]);
  });

  it("say so where it takes no more writes", async () => {
    const server = await startRedisServer(["--maxmemory", "1"]);
    onTestFinished(() => server.stop());
    const { counters } = await connected(server.url);
    await expect(counters.claim("g", [claimOf()])).rejects.toThrow(/The store of the counters failed: OOM/);
    expect(counters.available).toBe(false);
  });
});

describe("a gateway that counts in a Redis which is not there", () => {
  it("starts, and is told so by the service", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const text = "plugins:\n  redis: { url: '${REDIS_URL}' }\n  counters-redis: {}\n";
    const gateway = await startTestGateway(text, { REDIS_URL: url });
    expect(gateway.generation.kernel.components()).toContainEqual({ name: "counters", status: "degraded" });
    const ready = await fetch(`${gateway.url}/v1/ready`);
    const components = expect.arrayContaining([{ name: "counters", status: "degraded" }]);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready", components }]);
  });
});
