import { serviceToken } from "../service-token.ts";

/** One Redis for every plugin that wants to use it. */
export interface RedisService {
  /** False while it is known to be down: asking would only wait. */
  readonly available: boolean;
  /** False while it is known to refuse all that is to be kept, or to be down: it may be full, or a replica by now. */
  readonly keeps: boolean;
  /** What keys of this deployment begin with: `sluice:`. */
  readonly keyPrefix: string;
  /**
   * Sends one command; rejects when it fails, when it takes longer than the deadline, and at once while Redis is down.
   * Strings come back as buffers. Keys are the caller's to prefix.
   */
  command(name: string, ...args: readonly RedisArgument[]): Promise<unknown>;
  /** Runs a script atomically, loading it when Redis does not know it. All keys must lie in one hash slot. */
  script(source: string, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown>;
  /** Listens on a channel, again after every reconnect; what is returned ends it. */
  subscribe(channel: string, listener: (message: Buffer) => void): () => void;
}

export type RedisArgument = string | number | Buffer;

/** The connection to Redis, where a deployment has one. */
export const Redis = serviceToken<RedisService>("redis");
