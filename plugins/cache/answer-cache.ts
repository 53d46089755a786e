import type { Answer, CacheEntry, CacheService, Exchange, GatewayRequest, Logger } from "../../core/index.ts";
import { late, within } from "./deadline.ts";
import { answerIn, entryOf, isSuccess } from "./entry.ts";
import { withFreshIds } from "./fresh-ids.ts";
import { ageOf, type CachePolicy } from "./policy.ts";
import { entryFor, questionOf } from "./question.ts";
import type { Semantic, Standing } from "./semantic.ts";

export type CacheStatus = "DISABLED" | "HIT" | "MISS" | "REFRESH" | "SEMANTIC HIT" | "SEMANTIC MISS";

export interface AnswerCacheOptions {
  readonly store: CacheService;
  readonly semantic?: Semantic | undefined;
  /** Milliseconds the store may take to answer. */
  readonly deadline: number;
  /** Seconds an answer is kept at most, and where a config does not say. */
  readonly maxAge?: number | undefined;
  readonly log: Logger;
}

/** A question under way whose answer is to be kept. */
interface Awaited {
  readonly entry: CacheEntry;
  readonly ttlSeconds: number;
  readonly refresh: boolean;
  readonly standing?: Standing | undefined;
}

/** What a tap on `beforeRequest` may answer. */
type Seen = GatewayRequest | Answer;

/** Answers what was asked before, and keeps answers to what was not (routing-config.md 10.4 and 10.5). */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #awaited = new WeakMap<Exchange, Awaited>();
  readonly #writing = new Set<Promise<void>>();

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
  }

  /** The kept answer, or the request where there is none; a promise only where the store has to be waited for. */
  find(request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    const policy = exchange.attempt?.target.fields?.cache as CachePolicy | undefined;
    if (!policy) return this.#pass(request, exchange);
    try {
      const found = this.#find(policy, request, exchange);
      return found instanceof Promise ? found.catch((error) => this.#failed(error, request, exchange)) : found;
    } catch (error) {
      return this.#failed(error, request, exchange);
    }
  }

  /** Whether the answer of an exchange is waited for: others need not be decoded. */
  readonly wants = (exchange: Exchange): boolean => this.#awaited.has(exchange);

  /** Keeps an answer when it is whole and the vendor's own. The store is written to when the client has been served. */
  keep(answer: Answer, exchange: Exchange): void {
    const awaited = this.#awaited.get(exchange);
    const operation = exchange.request?.operation;
    if (!awaited || !operation || !isWhole(answer, exchange)) return;
    this.#awaited.delete(exchange);
    const writing = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#write(awaited, entryOf(awaited.entry.key, operation, answer)))
      .catch((error: unknown) => this.#options.log.warn("an answer could not be kept", { error }))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Resolves when everything is written that is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #find(policy: CachePolicy, request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    const { store, maxAge } = this.#options;
    const target = exchange.attempt?.target;
    const question = target && store.available ? questionOf(request, exchange, target) : undefined;
    if (!question) return this.#pass(request, exchange);
    const entry = entryFor(question);
    const refresh = exchange.gatewayHeaders.get("cache-force-refresh")?.toLowerCase() === "true";
    const awaited: Awaited = { entry, ttlSeconds: ageOf(policy, maxAge), refresh };
    const semantic = policy.mode === "semantic" ? this.#options.semantic : undefined;
    if (refresh) {
      const standing = semantic?.standing(exchange, question);
      return this.#await({ ...awaited, standing }, "REFRESH", request, exchange);
    }
    const next = (found: Answer | typeof late | undefined): Seen | Promise<Seen> => {
      if (found === late || (!found && !store.available)) return this.#pass(request, exchange);
      if (found) return hit(found, "HIT", request, exchange);
      const standing = semantic?.standing(exchange, question);
      return semantic && standing
        ? this.#findAlike(semantic, { ...awaited, standing }, request, exchange)
        : this.#await(awaited, "MISS", request, exchange);
    };
    const read = this.#read(entry, request);
    return read instanceof Promise ? read.then(next) : next(read);
  }

  /** A cache in trouble is none. A body that cannot be read is left to whoever sends it to say so. */
  #failed(error: unknown, request: GatewayRequest, exchange: Exchange): GatewayRequest {
    this.#options.log.debug("the cache could not be asked", { request: exchange.id, error });
    return this.#pass(request, exchange);
  }

  #pass(request: GatewayRequest, exchange: Exchange): GatewayRequest {
    // Most requests have nothing to do with the cache: of them nothing is written down.
    if (exchange.cacheStatus !== undefined) {
      this.#awaited.delete(exchange);
      tell(exchange, "DISABLED");
    }
    return request;
  }

  #await(awaited: Awaited, status: CacheStatus, request: GatewayRequest, exchange: Exchange): GatewayRequest {
    this.#awaited.set(exchange, awaited);
    tell(exchange, status);
    return request;
  }

  #read(entry: CacheEntry, request: GatewayRequest): Answer | undefined | Promise<Answer | undefined | typeof late> {
    const { store, deadline } = this.#options;
    const found = store.get(entry);
    if (!(found instanceof Promise)) return this.#understood(found, entry, request);
    return within(found, deadline).then((bytes) => (bytes === late ? late : this.#understood(bytes, entry, request)));
  }

  #understood(bytes: Buffer | undefined, entry: CacheEntry, { operation }: GatewayRequest): Answer | undefined {
    if (!bytes || !operation) return undefined;
    const answer = answerIn(entry.key, operation, bytes);
    if (!answer) void this.#options.store.delete(entry);
    return answer;
  }

  async #findAlike(
    semantic: Semantic,
    awaited: Awaited & { readonly standing: Standing },
    request: GatewayRequest,
    exchange: Exchange,
  ): Promise<Seen> {
    const { entry, standing, ttlSeconds, refresh } = awaited;
    const keys = await semantic.alike(standing);
    if (!keys) return this.#await({ entry, ttlSeconds, refresh }, "MISS", request, exchange);
    for (const key of keys) {
      const found = await this.#read({ tenant: entry.tenant, key }, request);
      if (found && found !== late) return hit(found, "SEMANTIC HIT", request, exchange);
      if (!found) void semantic.forget(standing, key);
    }
    return this.#await(awaited, "SEMANTIC MISS", request, exchange);
  }

  async #write({ entry, ttlSeconds, refresh, standing }: Awaited, bytes: Buffer): Promise<void> {
    const { store, semantic } = this.#options;
    await store.set(entry, bytes, ttlSeconds);
    if (!semantic || !standing) return;
    if (refresh) {
      for (const key of (await semantic.alike(standing)) ?? []) {
        if (key === entry.key) continue;
        await semantic.forget(standing, key);
        await store.delete({ tenant: entry.tenant, key });
      }
    }
    await semantic.remember(standing, entry.key, ttlSeconds);
  }
}

function hit(answer: Answer, status: CacheStatus, { format }: GatewayRequest, exchange: Exchange): Answer {
  tell(exchange, status);
  return format === "openai-responses" ? withFreshIds(answer) : answer;
}

/** A stream has to have come to its end at the client, with every frame understood. */
function isWhole({ status, response, body, sent }: Answer, { ending, malformedFrames }: Exchange): boolean {
  if (!response || body || !isSuccess(status)) return false;
  return !sent || (ending === "complete" && malformedFrames === 0);
}

function tell(exchange: Exchange, status: CacheStatus): void {
  exchange.cacheStatus = status;
  const { attempt } = exchange;
  if (!attempt) return;
  attempt.told ??= {};
  attempt.told["cache-status"] = status;
}
