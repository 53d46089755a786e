import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Asking, openDeployment, watchCounters } from "../support/fleet.ts";
import { type GatewayProcess, spawnGateway } from "../support/gateway-process.ts";
import { describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";

const of = (race: string) => ({
  conditions: [{ key: "metadata.race", value: race }],
  group_by: [{ key: "metadata.race" }],
});
const hard = { enforcement: "hard", type: "tokens", credit_limit: 100_000 };
const usageLimits = {
  ...Object.fromEntries(["stopped", "emptied", "killed", "left"].map((race) => [race, { ...of(race), ...hard }])),
  tight: { ...of("tight"), type: "requests", credit_limit: 5, enforcement: "hard" },
  soft: { ...of("soft"), type: "tokens", credit_limit: 100_000 },
};
const rateLimits = { paced: { ...of("paced"), type: "requests", unit: "rpd", value: 20 } };

/** Of an answer, with those of the question. */
const tokens = 100n;
const asked = (race: string): Asking => ({ race, tokens: 80 });
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 20_000, interval: 20 }).toBe(true);

describeWithRedis("a deployment under load whose Redis", () => {
  let redis: RedisServer;
  let deployment: Awaited<ReturnType<typeof openDeployment>>;

  beforeAll(async () => {
    redis = await startRedisServer();
    const usage = { flushInterval: 100, syncInterval: 100, holdFor: 3_000 };
    deployment = await openDeployment({ redis: redis.url, usageLimits, rateLimits, usage, timeout: 250, price: 1 });
  });
  afterAll(async () => {
    await deployment?.close();
    await redis?.stop();
  });
  beforeEach(() => redis.thaw());

  async function start(): Promise<GatewayProcess & { readonly at: string }> {
    const gateway = spawnGateway(deployment.file, {}, ["--port", "0"]);
    return Object.assign(gateway, { at: await gateway.url() });
  }

  /** Asks all the time until it is told to stop; every answer has to come, and none may be an error of the gateway. */
  function load(url: string, race: string) {
    const heard = { answered: 0, statuses: new Set<number>() };
    let loading = true;
    const lane = async () => {
      while (loading) {
        const { status } = await deployment.ask(url, asked(race));
        heard.statuses.add(status);
        if (status === 200) heard.answered++;
      }
    };
    const lanes = Array.from({ length: 4 }, lane);
    const more = async (count: number) => {
      const before = heard.answered;
      await until(async () => heard.answered >= before + count || heard.statuses.size > 1);
    };
    const end = async () => {
      loading = false;
      await Promise.all(lanes);
      return heard.answered;
    };
    return { heard, more, end };
  }

  it.each(["frozen", "stopped"] as const)(
    "is %s: answers go on, and all that was used is counted afterwards",
    async (how) => {
      const { at } = await start();
      const race = how === "frozen" ? "soft" : "stopped";
      const { more, end, heard } = load(at, race);
      await more(20);
      if (how === "frozen") redis.freeze();
      else {
        // What was settled is in the records before Redis is gone with what it knew.
        await until(async () => Number((await deployment.records())[race]?.total ?? 0) > 0);
        await redis.stop();
      }
      await more(50);
      if (how === "frozen") redis.thaw();
      else await redis.restart();
      await more(20);
      const used = BigInt(await end()) * tokens;
      expect([...heard.statuses]).toEqual([200]);
      const counters = await watchCounters(redis.url);
      await expect.poll(() => counters.totalOf(race), { timeout: 20_000 }).toBe(used);
      const kept = async () => (await deployment.records())[race]?.total;
      await expect.poll(kept, { timeout: 20_000 }).toBe(`${used}`);
      counters.close();
    },
    60_000,
  );

  it("is frozen: rates are counted by each gateway, with the full limit", async () => {
    // Two: on a busy machine a gateway may have counted one by itself already, when Redis was slow.
    const [{ at: other }, { at }] = await Promise.all([start(), start()]);
    await deployment.ask(other, asked("paced"));
    redis.freeze();
    const statuses: number[] = [];
    for (let time = 0; time < 22; time++) statuses.push((await deployment.ask(at, asked("paced"))).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    redis.thaw();
    await until(async () => (await deployment.ask(at, asked("paced"))).status === 200);
  }, 60_000);

  it("is frozen: a hard budget gives no more than was left of it", async () => {
    const { at } = await start();
    for (let time = 0; time < 3; time++) expect((await deployment.ask(at, asked("tight"))).status).toBe(200);
    redis.freeze();
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) statuses.push((await deployment.ask(at, asked("tight"))).status);
    expect(statuses).toEqual([200, 200, 412, 412]);
    redis.thaw();
  }, 60_000);

  it("begins empty: no gateway forgets what was used, and together they count it once", async () => {
    const gateways = await Promise.all([start(), start()]);
    let answered = 0;
    const askAll = async (times: number) => {
      for (let time = 0; time < times; time++)
        for (const { at } of gateways) if ((await deployment.ask(at, asked("emptied"))).status === 200) answered++;
    };
    await askAll(10);
    await until(async () => (await deployment.records()).emptied?.total === `${BigInt(answered) * tokens}`);
    await redis.restart();
    await askAll(10);
    const counters = await watchCounters(redis.url);
    await expect.poll(() => counters.totalOf("emptied"), { timeout: 20_000 }).toBe(BigInt(answered) * tokens);
    expect(answered).toBe(40);
    counters.close();
  }, 60_000);

  it("is stopped, and gateways end one after the other: what each of them used is counted", async () => {
    const gateways = await Promise.all([start(), start()]);
    const used = async () => (await deployment.records()).left?.total;
    for (const { at } of gateways) expect((await deployment.ask(at, asked("left"))).status).toBe(200);
    await expect.poll(used, { timeout: 10_000 }).toBe(`${2n * tokens}`);
    await redis.stop();
    for (const [at, times] of [3, 5].entries())
      for (let time = 0; time < times; time++) await deployment.ask(gateways[at]?.at ?? "", asked("left"));
    for (const gateway of gateways) {
      gateway.kill("SIGTERM");
      await gateway.ended;
    }
    await redis.restart();
    const { at } = await start();
    expect((await deployment.ask(at, asked("left"))).status).toBe(200);
    const counters = await watchCounters(redis.url);
    await expect.poll(() => counters.totalOf("left"), { timeout: 20_000 }).toBe(11n * tokens);
    await expect.poll(used, { timeout: 10_000 }).toBe(`${11n * tokens}`);
    counters.close();
  }, 60_000);

  it("is well, but a gateway is killed: nothing settled is lost, and what it held is free again in time", async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const counters = await watchCounters(redis.url);
    for (let time = 0; time < 10; time++) await deployment.ask(one.at, asked("killed"));
    await expect.poll(() => counters.totalOf("killed"), { timeout: 10_000 }).toBe(10n * tokens);
    // One under way holds room when it dies.
    deployment.vendor.silent = true;
    const under = deployment.ask(one.at, asked("killed")).catch(() => "died");
    await expect.poll(() => counters.heldOf("killed"), { timeout: 10_000 }).toBeGreaterThan(0n);
    one.kill("SIGKILL");
    expect(await under).toBe("died");
    deployment.vendor.silent = false;
    expect(await counters.totalOf("killed")).toBe(10n * tokens);
    expect((await deployment.ask(other.at, asked("killed"))).status).toBe(200);
    await expect.poll(() => counters.totalOf("killed"), { timeout: 10_000 }).toBe(11n * tokens);
    await expect.poll(() => counters.heldOf("killed"), { timeout: 10_000 }).toBe(0n);
    await expect.poll(async () => (await deployment.records()).killed?.total).toBe(`${11n * tokens}`);
    counters.close();
  }, 60_000);
});
