import { EventEmitter } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { silentLogger } from "../../core/log.ts";
import { channelOver } from "../../core/workers/workers-channel.ts";
import { localBus } from "../../plugins/bus-local/local-bus.ts";
import { redisBus } from "../../plugins/bus-redis/redis-bus.ts";
import { connectTo } from "../../plugins/redis/testing.ts";
import { describeWithRedis, type RedisServer, startRedisServer } from "../support/redis-server.ts";
import { holdsTheBusContract } from "./bus.ts";

/** Workers whose supervisor passes on to all others what one of them says, a moment later and as JSON. */
function supervisor() {
  const workers: Worker[] = [];
  class Worker extends EventEmitter {
    readonly connected = true;
    send(message: unknown) {
      const text = JSON.stringify(message);
      setImmediate(() => {
        for (const worker of workers) if (worker !== this) worker.emit("message", JSON.parse(text));
      });
    }
  }
  return () => {
    const worker = new Worker();
    workers.push(worker);
    return channelOver(worker);
  };
}

describe("bus-local", () => {
  holdsTheBusContract(async () => {
    const hire = supervisor();
    return async () => localBus(hire(), silentLogger);
  });
});

describeWithRedis("bus-redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server.stop());

  async function join() {
    const { redis } = await connectTo(server.url, 2_000);
    await expect.poll(() => redis.available, { interval: 5 }).toBe(true);
    return redisBus(redis, silentLogger);
  }

  holdsTheBusContract(async () => join);

  it("is silent while Redis is stopped or frozen, and comes back by itself", async () => {
    const own = await startRedisServer();
    onTestFinished(() => own.stop());
    const buses = await Promise.all(
      [1, 2].map(async () => redisBus((await connectTo(own.url, 100)).redis, silentLogger).bus),
    );
    const [one, two] = buses;
    const heard: unknown[] = [];
    two?.subscribe("t", (message) => heard.push(message));
    const hears = async (message: string) => {
      const ask = () => {
        one?.publish("t", message);
        return heard.at(-1);
      };
      await expect.poll(ask, { interval: 20, timeout: 10_000 }).toBe(message);
    };
    await hears("before");
    await own.stop();
    one?.publish("t", "lost");
    await own.restart();
    await hears("after the crash");
    own.freeze();
    one?.publish("t", "held up");
    own.thaw();
    await hears("after the frost");
  });

  it("takes what others publish under its channels for nothing", async () => {
    const { redis } = await connectTo(server.url, 2_000);
    await expect.poll(() => redis.available, { interval: 5 }).toBe(true);
    const { bus } = await join();
    const heard: unknown[] = [];
    bus.subscribe("odd", (message) => heard.push(message));
    const envelope = (message: unknown) => JSON.stringify({ from: "someone", message });
    const say = async () => {
      for (const text of ["no JSON", "null", "[]", '{"from":1}', envelope("fine")])
        await redis.command("PUBLISH", "test:bus:odd", text);
      return heard.length > 0;
    };
    await expect.poll(say, { interval: 10 }).toBe(true);
    expect(new Set(heard)).toEqual(new Set(["fine"]));
  });
});
