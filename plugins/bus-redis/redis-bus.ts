import { randomUUID } from "node:crypto";
import { type BusService, type Logger, type RedisService, z } from "../../core/index.ts";

/** What travels: who sent it, so that its own messages are not taken for another's. */
const envelope = z.object({ from: z.string(), message: z.unknown() });

/** A bus over Redis pub/sub. While Redis is down messages are lost; its connection comes back by itself. */
export function redisBus(redis: RedisService, log: Logger): { readonly bus: BusService; close(): void } {
  const self = randomUUID();
  const subscriptions = new Set<() => void>();
  const channelOf = (topic: string) => `${redis.keyPrefix}bus:${topic}`;
  const bus: BusService = {
    publish(topic, message) {
      if (!redis.available) return;
      const text = JSON.stringify({ from: self, message });
      redis.command("PUBLISH", channelOf(topic), text).catch((error: unknown) => {
        log.debug("a message of the bus was lost", { topic, error });
      });
    },
    subscribe(topic, listener) {
      const leave = redis.subscribe(channelOf(topic), (bytes) => {
        const received = open(bytes);
        if (!received || received.from === self) return;
        try {
          listener(received.message);
        } catch (error) {
          log.error("a listener of the bus failed", { topic, error });
        }
      });
      subscriptions.add(leave);
      return () => {
        if (subscriptions.delete(leave)) leave();
      };
    },
  };
  return {
    bus,
    close() {
      for (const leave of subscriptions) leave();
      subscriptions.clear();
    },
  };
}

/** Whoever may write to this Redis may publish anything: what is no message is nothing. */
function open(bytes: Buffer): z.output<typeof envelope> | undefined {
  try {
    return envelope.safeParse(JSON.parse(bytes.toString())).data;
  } catch {
    return undefined;
  }
}
