import { afterAll, beforeAll, expect, it } from "vitest";
import { type Asking, type Heard, openDeployment, promptTokens, watchCounters } from "../support/fleet.ts";
import { describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";
import { type RunningSluice, spawnSluice } from "../support/sluice.ts";

const of = (race: string) => ({
  conditions: [{ key: "metadata.race", value: race }],
  group_by: [{ key: "metadata.race" }],
});
const hard = { enforcement: "hard" };
/** Times each race is run, with limits of its own; SLUICE_RACES asks for more. */
const rounds = Array.from({ length: Number(process.env.SLUICE_RACES ?? 1) }, (_, at) => at + 1);
/** The policy of a race, in each round. */
const inEach = (race: string, terms: object): object =>
  Object.fromEntries(rounds.map((round) => [`${race}${round}`, { ...of(`${race}${round}`), ...terms }]));
const usageLimits = {
  ...inEach("exact", { ...hard, type: "requests", credit_limit: 1000 }),
  ...inEach("loose", { type: "requests", credit_limit: 1000 }),
  ...inEach("money", { ...hard, type: "cost", credit_limit: 1 }),
};
const rateLimits = inEach("paced", { type: "requests", unit: "rpd", value: 1000 });

const gateways = 4;
const requests = 2000;
/** Milliseconds after which processes know what the others have counted. */
const flushInterval = 100;
const dollar = 10n ** 12n;
/** Ten millionths of a dollar a token: 100 tokens are a tenth of a cent, 1000 such answers a dollar. */
const price = 10 ** 7;
const answerTokens = 80;

describeWithRedis("four gateways with one Redis, asked 2,000 times at once", () => {
  let redis: RedisServer;
  let deployment: Awaited<ReturnType<typeof openDeployment>>;
  let fleet: readonly RunningSluice[] = [];
  let counters: Awaited<ReturnType<typeof watchCounters>>;

  beforeAll(async () => {
    redis = await startRedisServer();
    const usage = { flushInterval, syncInterval: 200 };
    // A machine that is busy with all of it at once is slow, and must not take Redis for absent.
    deployment = await openDeployment({ redis: redis.url, usageLimits, rateLimits, usage, price, timeout: 20_000 });
    fleet = await Promise.all(Array.from({ length: gateways }, () => spawnSluice(deployment.file)));
    counters = await watchCounters(redis.url);
  }, 60_000);
  afterAll(async () => {
    counters?.close();
    await Promise.all(fleet.map((one) => one.stop()));
    await deployment?.close();
    await redis?.stop();
  });

  const ask = (at: number, asking: Asking): Promise<Heard> => deployment.ask(fleet[at % gateways]?.url ?? "", asking);
  const allAtOnce = (askingAt: (at: number) => Asking): Promise<Heard[]> =>
    Promise.all(Array.from({ length: requests }, (_, at) => ask(at, askingAt(at))));
  const counts = (heard: readonly Heard[]): Record<number, number> => {
    const found: Record<number, number> = {};
    for (const { status } of heard) found[status] = (found[status] ?? 0) + 1;
    return found;
  };

  it.each(rounds)(
    "let exactly 1,000 of them through a hard budget of requests (round %i)",
    async (round) => {
      const race = `exact${round}`;
      const heard = await allAtOnce(() => ({ race }));
      expect(counts(heard)).toEqual({ 200: 1000, 412: 1000 });
      await expect.poll(() => counters.totalOf(race), { timeout: 10_000 }).toBe(1000n);
      const kept = async () => (await deployment.records())[race];
      await expect.poll(kept, { timeout: 10_000 }).toMatchObject({ total: "1000", status: "exhausted" });
      expect(await counters.heldOf(race)).toBe(0n);
    },
    60_000,
  );

  it.each(rounds)(
    "let exactly 1,000 of them through a rate of 1,000 a day (round %i)",
    async (round) => {
      const heard = await allAtOnce(() => ({ race: `paced${round}` }));
      expect(counts(heard)).toEqual({ 200: 1000, 429: 1000 });
    },
    60_000,
  );

  it.each(rounds)(
    "never spend more than a dollar of a hard budget, whole answers and streams (round %i)",
    async (round) => {
      const race = `money${round}`;
      const before = deployment.vendor.tokens;
      const heard = await allAtOnce((at) => ({ race, tokens: answerTokens, stream: at % 2 === 0 }));
      const answered = heard.filter(({ status }) => status === 200);
      expect(answered.length).toBeGreaterThan(100);
      const spent = BigInt(answered.length * (promptTokens + answerTokens)) * BigInt(price);
      expect(spent).toBeLessThanOrEqual(dollar);
      expect(BigInt(deployment.vendor.tokens - before) * BigInt(price)).toBe(spent);
      // What the counter says, what is kept and what was answered are the same, and nothing is held any more.
      await expect.poll(() => counters.totalOf(race), { timeout: 10_000 }).toBe(spent);
      const kept = async () => (await deployment.records())[race]?.total;
      await expect.poll(kept, { timeout: 10_000 }).toBe(`${spent}`);
      expect(await counters.heldOf(race)).toBe(0n);
    },
    60_000,
  );

  it.each(rounds)(
    "let no more through a soft budget than were under way, and came in two flushes (round %i)",
    async (round) => {
      const race = `loose${round}`;
      const lanes = 40;
      const answeredAt: number[] = [];
      let asked = 0;
      const lane = async (at: number) => {
        while (asked++ < requests) if ((await ask(at, { race })).status === 200) answeredAt.push(performance.now());
      };
      await Promise.all(Array.from({ length: lanes }, (_, at) => lane(at)));
      const usedUpAt = answeredAt[999] ?? Number.POSITIVE_INFINITY;
      const late = answeredAt.filter((at) => at > usedUpAt && at <= usedUpAt + 2 * flushInterval).length;
      // Two intervals: one until all have told what they counted, one until all have heard. And a machine with two cores.
      expect(answeredAt.length).toBeLessThanOrEqual(1000 + lanes + Math.max(late, 500));
      expect(answeredAt.length).toBeGreaterThanOrEqual(1000);
      expect((await ask(0, { race })).status).toBe(412);
      await expect.poll(() => counters.totalOf(race), { timeout: 10_000 }).toBe(BigInt(answeredAt.length));
      const kept = async () => (await deployment.records())[race]?.total;
      await expect.poll(kept, { timeout: 10_000 }).toBe(`${answeredAt.length}`);
    },
    60_000,
  );
});
