import {
  type Answer,
  type Attempt,
  asksStreamUsage,
  type CacheEntry,
  type CacheService,
  type Exchange,
  type Format,
  type GatewayRequest,
  isRecord,
  type Logger,
  saysTrue,
  slot,
} from "../../core/index.ts";
import { late, within } from "./deadline.ts";
import { answerIn, entryOf, isJson, isSayable, isSuccess, type KeptAnswer, type Kind, lacking, raw } from "./entry.ts";
import { withFreshIds } from "./fresh-ids.ts";
import { ageOf, type CachePolicy } from "./policy.ts";
import { entryFor, questionOf } from "./question.ts";
import { rawQuestionOf } from "./raw-question.ts";
import { neighbours, type Semantic, type Standing } from "./semantic.ts";
import { timed } from "./timed.ts";

/** Where nobody says one, it is `DISABLED`. */
export type CacheStatus = "HIT" | "MISS" | "REFRESH" | "SEMANTIC HIT" | "SEMANTIC MISS";

export interface AnswerCacheOptions {
  readonly store: CacheService;
  readonly semantic?: Semantic | undefined;
  /** Milliseconds the store may take to answer. */
  readonly deadline: number;
  /** Seconds an answer is kept at most, and where a config does not say. */
  readonly maxAge?: number | undefined;
  readonly log: Logger;
  /** Of the deployment, by name. */
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
}

/** A question under way whose answer is to be kept. */
interface Awaited {
  readonly entry: CacheEntry;
  /** As the target is asked: a config may say another word than the client on whether to stream. */
  readonly request: GatewayRequest;
  readonly ttlSeconds: number;
  readonly refresh: boolean;
  readonly standing?: Standing | undefined;
}

/** An answer on its way into the store. */
interface Kept {
  readonly awaited: Awaited;
  readonly operation: Kind;
  readonly answer: Answer;
  /** Names of what the question lost in translation. */
  readonly dropped?: readonly string[];
}

/** What the store has to say of a question. */
type Found = KeptAnswer | typeof late | typeof lacking | undefined;

/** What a tap on `beforeRequest` may answer. */
type Seen = GatewayRequest | Answer;

/** Answers what was asked before, and keeps answers to what was not (routing-config.md 10.4 and 10.5). */
export class AnswerCache {
  readonly #options: AnswerCacheOptions;
  readonly #awaited = slot<Exchange, Awaited>("cache: awaited");
  readonly #held = slot<Attempt, Kept>("cache: held");
  readonly #kept: Kept[] = [];
  readonly #writing = new Set<Promise<void>>();
  #soon: NodeJS.Immediate | undefined;

  constructor(options: AnswerCacheOptions) {
    this.#options = options;
  }

  /** The kept answer, or the request where there is none; a promise only where the store has to be waited for. */
  find(request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    const { attempt } = exchange;
    const policy = attempt?.target.fields?.cache as CachePolicy | undefined;
    if (!attempt || !policy) return this.#pass(request, exchange);
    return timed(attempt, () => this.#search(policy, request, exchange));
  }

  /** Never fails. */
  #search(policy: CachePolicy, request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    try {
      const found = this.#find(policy, request, exchange);
      return found instanceof Promise ? found.catch((error) => this.#failed(error, request, exchange)) : found;
    } catch (error) {
      return this.#failed(error, request, exchange);
    }
  }

  /** Whether the answer of an exchange is waited for: others need not be decoded. */
  readonly wants = (exchange: Exchange): boolean => this.#awaited.get(exchange) !== undefined;

  /** Holds an answer that is whole and the vendor's own: the route may go on from a good one, too. */
  hold(answer: Answer, exchange: Exchange): void {
    const awaited = this.#awaited.get(exchange);
    const { attempt, droppedParams } = exchange;
    if (!attempt || !awaited?.request.operation || !isWhole(answer, exchange)) return;
    if (droppedParams.size > 0 && !isSayable(droppedParams)) return;
    const dropped = droppedParams.size > 0 ? [...droppedParams] : nothing;
    this.#held.set(attempt, { awaited, operation: awaited.request.operation, answer, dropped });
  }

  /** Whether the answer of the last attempt is held. */
  readonly holds = ({ attempt }: Exchange): boolean => attempt !== undefined && this.#held.get(attempt) !== undefined;

  /** Keeps what is held where it is what the client was given, or was to be had it stayed: not where that was an error of a later try. */
  keep({ attempt, ending }: Exchange): void {
    const held = attempt && this.#held.get(attempt);
    if (!held) return;
    this.#held.set(attempt, undefined);
    if (ending === "complete" || ending === "client-gone") this.#lay(held);
  }

  #lay(kept: Kept): void {
    this.#kept.push(kept);
    this.#soon ??= setImmediate(() => this.#writeAll());
  }

  #writeAll(): void {
    this.#soon = undefined;
    for (const kept of this.#kept.splice(0)) {
      try {
        const writing = this.#write(kept);
        if (writing) this.#follow(writing);
      } catch (error) {
        this.#notKept(error);
      }
    }
  }

  #follow(written: Promise<void>): void {
    const writing: Promise<void> = written
      .catch((error: unknown) => this.#notKept(error))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  #notKept(error: unknown): void {
    this.#options.log.warn("an answer could not be kept", { error });
  }

  /** Resolves when everything is written that is being written. */
  async settled(): Promise<void> {
    clearImmediate(this.#soon);
    this.#writeAll();
    await Promise.all(this.#writing);
  }

  #find(policy: CachePolicy, request: GatewayRequest, exchange: Exchange): Seen | Promise<Seen> {
    const { store, maxAge } = this.#options;
    const target = exchange.attempt?.target;
    const asks = request.operation === undefined ? rawQuestionOf : questionOf;
    const keeps = store.available && request.operation !== "count";
    const question = target && keeps ? asks(request, exchange, target) : undefined;
    if (!question) return this.#pass(request, exchange);
    const entry = entryFor(question, !store.shared);
    const refresh = saysTrue(exchange, "cache-force-refresh");
    const awaited: Awaited = { entry, request, ttlSeconds: ageOf(policy, maxAge), refresh };
    const semantic = policy.mode === "semantic" ? this.#options.semantic : undefined;
    if (refresh) {
      const standing = semantic?.standing(exchange, question);
      return this.#await({ ...awaited, standing }, "REFRESH", request, exchange);
    }
    const next = (found: Found): Seen | Promise<Seen> => {
      if (found === late || (!found && !store.available)) return this.#pass(request, exchange);
      if (found && found !== lacking) return hit(found, "HIT", request, exchange);
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
    if (this.#awaited.get(exchange)) this.#awaited.set(exchange, undefined);
    if (exchange.keepsAnswer) exchange.keepsAnswer = undefined;
    return request;
  }

  #await(awaited: Awaited, status: CacheStatus, request: GatewayRequest, exchange: Exchange): GatewayRequest {
    if (request.operation === undefined) this.#awaitRaw(awaited, exchange);
    else this.#awaited.set(exchange, awaited);
    tell(exchange, status);
    return request;
  }

  #awaitRaw(awaited: Awaited, exchange: Exchange): void {
    exchange.keepsAnswer = ({ status, bytes }) => {
      const answer: Answer = { kind: "answer", status, wire: { format: raw, bytes } };
      if (isSuccess(status) && isJson(bytes)) this.#lay({ awaited, operation: raw, answer });
    };
  }

  #read(entry: CacheEntry, request: GatewayRequest): Found | Promise<Found> {
    const { store, deadline } = this.#options;
    const found = store.get(entry);
    if (!(found instanceof Promise)) return this.#understood(found, entry, request);
    return within(found, deadline).then((bytes) => (bytes === late ? late : this.#understood(bytes, entry, request)));
  }

  #understood(bytes: Buffer | undefined, entry: CacheEntry, request: GatewayRequest): Found {
    if (!bytes) return undefined;
    const { formats } = this.#options;
    const answer = answerIn(entry.key, request.operation ?? raw, bytes, formats, () => tellsUsage(request));
    if (!answer) void this.#options.store.delete(entry);
    return answer;
  }

  async #findAlike(
    semantic: Semantic,
    awaited: Awaited & { readonly standing: Standing },
    request: GatewayRequest,
    exchange: Exchange,
  ): Promise<Seen> {
    const { entry, standing } = awaited;
    const keys = await semantic.alike(standing, neighbours);
    if (!keys) return this.#await({ ...awaited, standing: undefined }, "MISS", request, exchange);
    for (const key of keys) {
      const found = await this.#read({ tenant: entry.tenant, key }, request);
      if (found && found !== late && found !== lacking) return hit(found, "SEMANTIC HIT", request, exchange);
      if (!found) void semantic.forget(standing, key);
    }
    return this.#await(awaited, "SEMANTIC MISS", request, exchange);
  }

  /** A promise only where the store is not in memory, or a question is remembered for those like it. */
  #write({ awaited, operation, answer, dropped = nothing }: Kept): void | Promise<void> {
    const { entry, request, ttlSeconds, standing } = awaited;
    const { store, semantic } = this.#options;
    // Where the vendor was asked and told nothing, no other answer of it would say more.
    const unasked = operation !== raw && !tellsUsage(request) && answer.response?.usage === undefined;
    const written = store.set(entry, entryOf(entry.key, operation, answer, { unasked, dropped }), ttlSeconds);
    return semantic && standing ? this.#remember(semantic, { ...awaited, standing }, written) : written;
  }

  async #remember(
    semantic: Semantic,
    { entry, ttlSeconds, refresh, standing }: Awaited & { readonly standing: Standing },
    written: void | Promise<void>,
  ): Promise<void> {
    const { store } = this.#options;
    await written;
    if (refresh) {
      for (const key of (await semantic.alike(standing, Number.POSITIVE_INFINITY)) ?? []) {
        if (key === entry.key) continue;
        await semantic.forget(standing, key);
        await store.delete({ tenant: entry.tenant, key });
      }
    }
    await semantic.remember(standing, entry.key, ttlSeconds);
  }
}

/** Whether an answer says what it used: whole ones do, and streams where they are asked to. */
const tellsUsage = (request: GatewayRequest): boolean => !request.stream || asksStreamUsage(request);

const nothing: readonly string[] = [];

function hit(answer: KeptAnswer, status: CacheStatus, { format }: GatewayRequest, exchange: Exchange): Answer {
  tell(exchange, status);
  if (answer.dropped) for (const name of answer.dropped) exchange.droppedParams.add(name);
  if (format !== "openai-responses") return answer;
  return withFreshIds(answer, () => {
    const asked = exchange.request?.json;
    return isRecord(asked) ? asked.previous_response_id : undefined;
  });
}

/** A stream has to have come to its end at the client, with every frame understood; what was denied politely is no answer. */
function isWhole(answer: Answer, { ending, malformedFrames, attempt }: Exchange): boolean {
  const { status, body, sent } = answer;
  if (attempt?.recordedStatus !== undefined && !isSuccess(attempt.recordedStatus)) return false;
  // Bytes are looked into when they are answered with: asking for the response would decode it.
  if (body || !isSuccess(status) || !(answer.wire ?? answer.response)) return false;
  return malformedFrames === 0 && (!sent || ending === "complete");
}

function tell(exchange: Exchange, status: CacheStatus): void {
  exchange.cacheStatus = status;
  const { attempt } = exchange;
  if (!attempt) return;
  attempt.told ??= {};
  attempt.told["cache-status"] = status;
}
