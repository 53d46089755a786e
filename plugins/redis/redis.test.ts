import { once } from "node:events";
import { connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type keepingLogger, startTestGateway } from "../../test/support/gateway.ts";
import { describeWithRedis, freePort, type RedisServer, startRedisServer } from "../../test/support/redis-server.ts";
import { connectTo } from "./testing.ts";

/** An address that leads to whichever port it is told. */
async function forwarding(to: number) {
  const address = { to, url: "" };
  const server = createServer((socket) => {
    const on = connect(address.to, "127.0.0.1");
    for (const [one, other] of [[socket, on] as const, [on, socket] as const])
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    socket.pipe(on).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const at = server.address();
  address.url = `redis://127.0.0.1:${typeof at === "object" && at ? at.port : 0}`;
  return address;
}

const until = (holds: () => boolean) => expect.poll(holds, { interval: 5, timeout: 10_000 }).toBe(true);
const text = (value: unknown) => (value instanceof Buffer ? value.toString() : value);

describeWithRedis("the connection to Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  async function connected() {
    const connection = await connectTo(server.url);
    await until(() => connection.redis.available);
    return connection;
  }

  it("sends commands and answers with buffers", async () => {
    const { redis } = await connected();
    expect(text(await redis.command("SET", "test:a", Buffer.from([0, 255, 10])))).toBe("OK");
    expect(await redis.command("GET", "test:a")).toEqual(Buffer.from([0, 255, 10]));
    expect(await redis.command("GET", "test:none")).toBeNull();
    expect(await redis.command("INCRBY", "test:n", 5)).toBe(5);
  });

  it("fails with what Redis says, without the arguments", async () => {
    const { redis } = await connected();
    await redis.command("SET", "test:text", "a private text");
    const failure = await redis.command("LPUSH", "test:text", "another private text").catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringMatching(/^WRONGTYPE/) });
    expect(JSON.stringify(Object.entries(failure as object))).not.toContain("private");
  });

  it("runs scripts, and loads those Redis does not know", async () => {
    const { redis } = await connected();
    const source = "return redis.call('INCRBY', KEYS[1], ARGV[1])";
    expect(await redis.script(source, ["test:s"], [2])).toBe(2);
    expect(await redis.script(source, ["test:s"], [2])).toBe(4);
    await redis.command("SCRIPT", "FLUSH");
    expect(await redis.script(source, ["test:s"], [2])).toBe(6);
  });

  it("is not absent because this process was busy: its answer is read before the deadline counts", async () => {
    const { redis, log } = await connected();
    await redis.command("PING");
    const answered = redis.command("PING");
    const busyUntil = performance.now() + 400;
    // The command leaves at once, and the loop turns only when the deadline is long over.
    while (performance.now() < busyUntil);
    expect(text(await answered)).toBe("PONG");
    expect([redis.available, log.lines.map(({ level }) => level)]).toEqual([true, []]);
  });

  it("delivers messages to everybody who listens, until they stop", async () => {
    const { redis } = await connected();
    const heard: string[] = [];
    const stop = redis.subscribe("test:c", (message) => heard.push(`one ${message}`));
    redis.subscribe("test:c", () => {
      throw new Error("a listener in trouble");
    });
    redis.subscribe("test:c", (message) => heard.push(`two ${message}`));
    await expect.poll(() => redis.command("PUBLISH", "test:c", "early"), { interval: 5 }).toBe(1);
    await until(() => heard.includes("two early"));
    stop();
    stop();
    await redis.command("PUBLISH", "test:c", "late");
    await until(() => heard.includes("two late"));
    expect(heard.filter((line) => line.startsWith("one late"))).toEqual([]);
  });

  it("lets what is under way end when it closes", async () => {
    const { redis } = await connected();
    const answer = redis.command("SET", "test:last", "word");
    await redis.close();
    expect(text(await answer)).toBe("OK");
    await expect(redis.command("GET", "test:last")).rejects.toThrow("Redis is not available.");
  });

  it("is set up with a gateway, and there when it begins to listen", async () => {
    const config =
      "plugins:\n  redis: { url: '${REDIS_URL}', commandTimeout: 5000 }\n  counters-redis: { timeout: 5000 }\n";
    const gateway = await startTestGateway(config, { REDIS_URL: server.url });
    expect(gateway.log.lines.filter(({ level }) => level === "warn")).toEqual([]);
    expect(await (await fetch(`${gateway.url}/v1/ready`)).json()).toEqual({
      status: "ready",
      components: [
        { name: "redis", status: "ok" },
        { name: "counters", status: "ok" },
      ],
    });
  });

  it("answers nobody, a gateway starts all the same", async () => {
    server.freeze();
    const config = "plugins:\n  redis: { url: '${REDIS_URL}', commandTimeout: 50 }\n";
    const gateway = await startTestGateway(config, { REDIS_URL: server.url }).finally(() => server.thaw());
    expect((await fetch(`${gateway.url}/v1/ready`)).status).toBe(200);
  });
});

describeWithRedis("when Redis", () => {
  async function own() {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const connection = await connectTo(server.url);
    await until(() => connection.redis.available);
    return { server, ...connection };
  }

  const said = (log: ReturnType<typeof keepingLogger>) => log.lines.map(({ level, message }) => `${level}: ${message}`);
  const away = "warn: Redis is away: going on without it";
  const back = "info: Redis is back";

  it("stops, commands fail at once, and it is found again, with the channels", async () => {
    const { server, redis, log } = await own();
    const heard: string[] = [];
    redis.subscribe("test:c", (message) => heard.push(`${message}`));
    await expect.poll(() => redis.command("PUBLISH", "test:c", "before"), { interval: 5 }).toBe(1);
    await server.stop();
    await until(() => !redis.available);
    for (let i = 0; i < 10; i++) await expect(redis.command("GET", "a")).rejects.toThrow("Redis is not available.");
    await server.restart();
    await until(() => redis.available);
    expect(await redis.command("GET", "a")).toBeNull();
    await expect.poll(() => redis.command("PUBLISH", "test:c", "after"), { interval: 5 }).toBe(1);
    await until(() => heard.includes("after"));
    expect(said(log)).toEqual([away, back]);
  });

  it("stops with commands under way, these fail", async () => {
    const { server, redis } = await own();
    server.freeze();
    const answer = redis.command("GET", "a");
    await Promise.all([expect(answer).rejects.toThrow(), server.stop()]);
  });

  it("answers nobody, one deadline is missed and the rest fail at once", async () => {
    const { server, redis, log } = await own();
    server.freeze();
    await expect(redis.command("GET", "a")).rejects.toThrow("Redis did not answer within 150 ms.");
    expect(redis.available).toBe(false);
    await expect(redis.command("GET", "a")).rejects.toThrow("Redis is not available.");
    server.thaw();
    await until(() => redis.available);
    expect(await redis.command("GET", "a")).toBeNull();
    expect(said(log)).toEqual([away, back]);
  });

  it("answers nobody for long, it is connected to anew", async () => {
    const { server, redis, client } = await own();
    server.freeze();
    await expect(redis.command("GET", "a")).rejects.toThrow();
    await until(() => client.status !== "ready");
    server.thaw();
    await until(() => redis.available);
    expect(await redis.command("GET", "a")).toBeNull();
  });

  const refused = "warn: Redis refuses to keep anything: going on without that";

  it("is full, that is said once, and it is used again when there is room", async () => {
    const { redis, log } = await own();
    const write = () => redis.script("return redis.call('SET', KEYS[1], 1)", ["test:a"], []);
    await redis.command("CONFIG", "SET", "maxmemory", "1");
    await expect(write()).rejects.toThrow(/^OOM /);
    await expect(write()).rejects.toThrow(/^OOM /);
    expect([redis.available, redis.keeps]).toEqual([true, false]);
    expect(await redis.command("GET", "test:a")).toBeNull();
    await redis.command("CONFIG", "SET", "maxmemory", "0");
    await until(() => redis.keeps);
    expect(said(log)).toEqual([refused, back]);
  });

  it("has become a replica, whoever answers at its address by now is asked", async () => {
    const [before, now] = await Promise.all([startRedisServer(), startRedisServer()]);
    onTestFinished(async () => void (await Promise.all([before.stop(), now.stop()])));
    const address = await forwarding(before.port);
    const { redis, log } = await connectTo(address.url);
    await until(() => redis.keeps);
    const heard: string[] = [];
    redis.subscribe("test:c", (message) => heard.push(`${message}`));
    await redis.command("REPLICAOF", "127.0.0.1", now.port);
    await expect(redis.command("SET", "test:a", "x")).rejects.toThrow(/^READONLY /);
    expect(redis.keeps).toBe(false);
    address.to = now.port;
    await until(() => redis.keeps);
    expect(text(await redis.command("SET", "test:a", "x"))).toBe("OK");
    await expect.poll(() => redis.command("PUBLISH", "test:c", "hello"), { interval: 5 }).toBe(1);
    await until(() => heard.length > 0);
    expect(said(log)).toEqual([refused, back]);
  });

  it("stays a replica, it is connected to anew ever more seldom, and used as soon as it is none", async () => {
    const replica = await startRedisServer();
    onTestFinished(() => replica.stop());
    const { redis } = await connectTo(replica.url);
    await until(() => redis.keeps);
    await redis.command("REPLICAOF", "127.0.0.1", await freePort());
    await expect(redis.command("SET", "test:a", "x")).rejects.toThrow(/^READONLY /);
    const counted = async (section: string, pattern: RegExp) => {
      const found = await redis.command("INFO", section).then(text, () => "");
      return Number(pattern.exec(String(found))?.[1] ?? 0);
    };
    const looks = () => counted("commandstats", /cmdstat_set:.*rejected_calls=(\d+)/);
    await expect.poll(looks, { interval: 20, timeout: 10_000 }).toBeGreaterThan(20);
    // The first one, one as it was refused, and those of the looks 1, 2, 4, 8 and 16.
    expect(await counted("stats", /total_connections_received:(\d+)/)).toBeLessThan(10);
    await redis.command("REPLICAOF", "NO", "ONE");
    await until(() => redis.keeps);
  });

  it("wants another password, its name is said and the password is not", async () => {
    const server = await startRedisServer(["--requirepass", "the-right-password"]);
    onTestFinished(() => server.stop());
    const { redis, log } = await connectTo(`redis://:the-wrong-password@127.0.0.1:${server.port}`);
    await until(() => log.lines.length > 0);
    expect(redis.available).toBe(false);
    expect(JSON.stringify(log.lines)).toContain("WRONGPASS");
    expect(JSON.stringify(log.lines)).not.toContain("the-wrong-password");
    const right = await connectTo(`redis://:the-right-password@127.0.0.1:${server.port}/3`);
    await until(() => right.redis.available);
  });
});

describe("a gateway without its Redis", () => {
  it("starts, says so once, and prints no credential", async () => {
    const url = `redis://user:a-private-password@127.0.0.1:${await freePort()}`;
    const gateway = await startTestGateway("plugins:\n  redis: { url: '${REDIS_URL}' }\n", { REDIS_URL: url });
    const warned = () => gateway.log.lines.filter(({ level }) => level === "warn");
    await until(() => warned().length > 0);
    expect(warned()).toHaveLength(1);
    expect(JSON.stringify(gateway.log.lines)).not.toContain("a-private-password");
  });

  it("refuses an address that is none", async () => {
    const text = "plugins:\n  redis: { url: 'http://127.0.0.1' }\n";
    await expect(startTestGateway(text)).rejects.toThrow(/must begin with redis:\/\/ or rediss:\/\//);
  });
});
