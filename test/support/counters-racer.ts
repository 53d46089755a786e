import cluster from "node:cluster";
import { once } from "node:events";
import { countersClerk, countersTopic } from "../../core/counters-kit/supervised-counters.ts";
import { type CountersService, SupervisedCounters, supervisorDesk } from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { answersOf, isAsked } from "../../core/workers/supervisor-desk.ts";
import { RedisCounters } from "../../plugins/counters-redis/redis-counters.ts";
import { openClient, RedisConnection } from "../../plugins/redis/connection.ts";
import { type RaceOrder, race } from "./counters-race.ts";

/**
 * A process that races for counters: over the Redis whose address it is given, or with a number as the supervisor of so
 * many workers that race. It says "ready" for every racer, and then for every order reports what became of it.
 */
const [where = ""] = process.argv.slice(2);
const timeout = 20_000;

if (cluster.isWorker)
  await run(new SupervisedCounters({ desk: supervisorDesk, most: 1000, timeout, log: silentLogger }));
else if (where.startsWith("redis:")) await run(await overRedis(where));
else supervise(Number(where));

async function run(counters: CountersService): Promise<void> {
  process.on("message", async (order: RaceOrder | object) => {
    if ("race" in order) process.send?.(await race(counters, order, `${process.pid}`));
  });
  process.on("disconnect", () => process.exit());
  process.send?.("ready");
}

async function overRedis(url: string): Promise<CountersService> {
  const client = await openClient({ url, commandTimeout: timeout, connectTimeout: timeout });
  const redis = new RedisConnection(client, { keyPrefix: "test:", commandTimeout: timeout, log: silentLogger });
  const ready = once(client, "ready");
  void redis.open();
  await ready;
  return new RedisCounters({ redis, timeout, log: silentLogger });
}

function supervise(count: number): void {
  const clerks = { [countersTopic]: countersClerk(silentLogger) };
  const workers = Array.from({ length: count }, () => cluster.fork());
  for (const worker of workers)
    worker.on("message", (report: unknown) => {
      if (isAsked(report)) worker.send(answersOf(clerks, report));
      else process.send?.(report);
    });
  process.on("message", (order: object) => {
    for (const worker of workers) worker.send(order);
  });
  process.on("disconnect", () => process.exit());
}
