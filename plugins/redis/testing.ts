import { onTestFinished } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { openClient, RedisConnection } from "./connection.ts";

/** A connection as the plugin makes it, with short clocks. It ends with the test. */
export async function connectTo(url: string, commandTimeout = 150) {
  const log = keepingLogger();
  const client = await openClient({ url, commandTimeout, connectTimeout: 500 });
  const redis = new RedisConnection(client, { keyPrefix: "test:", commandTimeout, log, pause: 20 });
  onTestFinished(() => redis.close());
  void redis.open();
  return { redis, log, client };
}
