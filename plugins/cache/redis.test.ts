import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { describeWithRedis, freePort, type RedisServer, startRedisServer } from "../../test/support/redis-server.ts";
import { type CachedGateway, embeddingModel, question, startCached } from "./testing.ts";

const storesAt = (url: string): Parameters<typeof startCached>[0] => ({
  stores: "redis: { url: '${REDIS_URL}', commandTimeout: 100 }\n  cache-redis: {}",
  variables: { REDIS_URL: url },
});

/** Asks, each time something new, until the cache takes part. */
let asked = 0;
const takesPart = ({ ask }: CachedGateway) =>
  expect
    .poll(async () => (await ask({ ...question, seed: asked++ })).cache, { interval: 10, timeout: 10_000 })
    .toMatch(/MISS$/);

/** A write is on its way when the client has its answer. */
const hits = ({ ask }: CachedGateway, body: object = question) =>
  expect.poll(async () => (await ask(body)).cache, { interval: 10 }).toBe("HIT");

describeWithRedis("a cache in Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  it("is shared by gateways, and outlives them", async () => {
    const one = await startCached(storesAt(server.url));
    await takesPart(one);
    await one.ask();
    await hits(one);
    const other = await startCached({ ...storesAt(server.url), beside: one });
    await takesPart(other);
    const calls = one.calls();
    expect((await other.ask()).cache).toBe("HIT");
    expect((await other.ask({ ...question, stream: true })).cache).toBe("HIT");
    expect(one.calls()).toBe(calls);
    await one.gateway.reload();
    await takesPart(one);
    expect((await one.ask()).cache).toBe("HIT");
  });

  it("finds what means the same", async () => {
    const options = `{ semantic: { provider: other, model: ${embeddingModel} } }`;
    const cached = await startCached({ ...storesAt(server.url), options });
    await takesPart(cached);
    const config = { provider: "@openai", cache: "semantic" };
    const says = (content: string) => ({ model: "m", messages: [{ role: "user", content }] });
    expect((await cached.ask(says("0 one"), { config })).cache).toBe("SEMANTIC MISS");
    await expect
      .poll(async () => (await cached.ask(says("9 two"), { config, headers: { "x-gateway-metadata": "{}" } })).cache)
      .toMatch(/HIT$/);
    expect((await cached.ask(says("5 three"), { config })).cache).toBe("SEMANTIC HIT");
  });
});

describeWithRedis("requests go on", () => {
  const all = async ({ ask }: CachedGateway, count: number) => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, seed) => ask({ ...question, stream: seed % 2 === 0, seed })),
    );
    for (const { status, text } of replies) {
      expect(status).toBe(200);
      expect(text).toMatch(/er \d+\./);
    }
    return replies.map(({ cache }) => cache);
  };

  async function own(options = "{}") {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const cached = await startCached({ ...storesAt(server.url), options });
    await takesPart(cached);
    return { server, cached };
  }

  it("without Redis from the start, and the cache takes part once it is there", async () => {
    const port = await freePort();
    const cached = await startCached(storesAt(`redis://127.0.0.1:${port}`));
    expect(new Set(await all(cached, 10))).toEqual(new Set(["DISABLED"]));
    const server = await startRedisServer([], port);
    onTestFinished(() => server.stop());
    await takesPart(cached);
    await hits(cached);
  });

  it("when Redis is stopped, and when it is back, empty", async () => {
    const { server, cached } = await own();
    await cached.ask();
    await hits(cached);
    await server.stop();
    expect(new Set(await all(cached, 20))).toEqual(new Set(["DISABLED"]));
    await server.restart();
    await takesPart(cached);
    expect((await cached.ask()).cache).toBe("MISS");
    await hits(cached);
  });

  it("when Redis is restarted in the middle of them", async () => {
    const { server, cached } = await own();
    const before = all(cached, 30);
    const restarted = server.restart();
    await Promise.all([before, all(cached, 30), restarted]);
    await takesPart(cached);
    await all(cached, 5);
    await hits(cached, { ...question, seed: 3 });
  });

  it("when Redis answers nobody, waiting no longer than the deadline", async () => {
    const { server, cached } = await own("{ deadline: 40 }");
    await cached.ask();
    await hits(cached);
    server.freeze();
    expect(new Set(await all(cached, 20))).toEqual(new Set(["DISABLED"]));
    // The first command that missed its own deadline said that there is no use in asking.
    await expect
      .poll(() => cached.gateway.log.lines.filter(({ message }) => message.startsWith("Redis is away")).length)
      .toBe(1);
    expect(new Set(await all(cached, 20))).toEqual(new Set(["DISABLED"]));
    server.thaw();
    await takesPart(cached);
    await hits(cached);
  });

  it("when what is kept is spoilt", async () => {
    const { server, cached } = await own();
    await cached.ask();
    await hits(cached);
    const { Redis } = await import("ioredis");
    const client = new Redis(server.url);
    for (const key of await client.keys("sluice:cache:*")) await client.set(key, "spoilt");
    client.disconnect();
    expect(await cached.ask()).toMatchObject({ status: 200, cache: "MISS" });
    await hits(cached);
  });
});
