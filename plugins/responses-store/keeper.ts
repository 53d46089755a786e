import {
  type Answer,
  type Attempt,
  type ChatResponse,
  type Exchange,
  type Extra,
  type Fields,
  type Format,
  fullContext,
  GatewayError,
  type GatewayRequest,
  inTurns,
  isRecord,
  type Logger,
  type Message,
  type RecordCollection,
  type RecordKey,
  type StoredRecord,
  type StreamChunk,
  slot,
  storeDown,
  withBody,
} from "../../core/index.ts";
import { askedIn, isForeign, mayGoOn, sorted, standsOnOwn, without } from "./asked.ts";
import { distinct, itemsOf } from "./input-items.ts";
import { formatName, type KeptResponse } from "./kept-response.ts";
import { beginningOf, idOf, keyIn, keyOf, ownId, tenantIn } from "./own-ids.ts";
import { type Pending, pending } from "./pending.ts";
import { resolved, withoutReferences } from "./references.ts";

/** A response under way that is to be kept, or says what it goes on from. */
interface Awaited {
  readonly id: string;
  /** Whether it is to be kept. */
  readonly keeps: boolean;
  readonly tenant: string;
  readonly request: GatewayRequest<"chat">;
  /** The same as its client wrote it. */
  readonly asked: Readonly<Fields>;
  /** The conversation up to here, without the instructions: those are of one request, not of what goes on from it. */
  readonly said: readonly Message[];
  /** Of those, the ones that were said before. */
  readonly before: readonly Message[];
  /** Whether guardrails let it pass: what they answer themselves never comes so far. */
  readonly passed: boolean;
  readonly input: readonly Readonly<Fields>[];
  readonly previous: string | null;
}

export interface KeeperOptions {
  readonly collection: RecordCollection<KeptResponse>;
  readonly formats: Pick<ReadonlyMap<string, Format>, "get">;
  readonly log: Logger;
  readonly seconds: number;
  readonly now: () => number;
}

/** Keeps responses of providers that do not keep them, and goes on from those that were kept (issue of the format: section 11.6). */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #awaited = slot<Exchange, Awaited>("responses-store: awaited");
  /** The same by attempt: those of one exchange may run side by side, and only one of them answers. */
  readonly #asked = slot<Attempt, Awaited>("responses-store: asked");
  /** Exchanges whose client may have a response before the store does, by tenant and how its id begins. */
  readonly #pending = new Map<string, Pending>();

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Whether the answer of an exchange is to be kept. */
  readonly wants = (exchange: Exchange): boolean => this.#awaited.get(exchange) !== undefined;

  /** What a response was, for whoever may see it; undefined when it is not kept here. */
  async find(tenant: string, id: string): Promise<StoredRecord<KeptResponse> | undefined> {
    if (!ownId.test(id)) return undefined;
    await this.#pending.get(keyOf(tenant, beginningOf(id)))?.over;
    return this.#options.collection.get({ tenant, id }).catch(storeDown);
  }

  async remove({ tenant, id }: RecordKey): Promise<void> {
    await this.#options.collection.remove({ tenant, id }).catch(storeDown);
  }

  /**
   * The request as a provider has to be asked that has no memory, or another one: where a conversation was begun elsewhere it has
   * to be told all of it. A promise only where there is something to remember.
   */
  prepare(request: GatewayRequest, exchange: Exchange): GatewayRequest | Promise<GatewayRequest> {
    this.#awaited.set(exchange, undefined);
    if (!mayGoOn(request, exchange) || !exchange.principal) return request;
    const keepsItself = !isForeign(request, exchange);
    if (keepsItself && !standsOnOwn(request, exchange)) return request;
    const asked = askedIn(request, exchange);
    const chat = request as unknown as GatewayRequest<"chat">;
    const tenant = tenantIn(exchange);
    const whole = resolved(chat, asked, this.#options.formats.get(formatName), (id) => this.find(tenant, id));
    const asking = (known: GatewayRequest<"chat">, said: Readonly<Fields>) =>
      keepsItself ? this.#movedOn(exchange, known, said) : this.#asking(exchange, known, said);
    const prepared = whole ? whole.then((known) => asking(known.request, known.asked)) : asking(chat, asked);
    return prepared as unknown as GatewayRequest | Promise<GatewayRequest>;
  }

  /** The same for a provider that keeps responses itself: what it keeps it knows by ids of its own, and they are its business. */
  async #movedOn(
    exchange: Exchange,
    chat: GatewayRequest<"chat">,
    asked: Readonly<Fields>,
  ): Promise<GatewayRequest<"chat">> {
    const previous = asked.previous_response_id;
    const found = typeof previous === "string" ? await this.find(tenantIn(exchange), previous) : undefined;
    return found ? this.#goOn(exchange, chat, asked, found, true) : chat;
  }

  #asking(
    exchange: Exchange,
    chat: GatewayRequest<"chat">,
    asked: Readonly<Fields>,
  ): GatewayRequest<"chat"> | Promise<GatewayRequest<"chat">> {
    const previous = asked.previous_response_id;
    if (typeof previous !== "string") {
      if (asked.store === false) return chat;
      const kept = asked.store === true ? withBody(chat, without("store", chat.body)) : chat;
      this.#await(exchange, kept, asked, itemsOf(asked.input));
      return kept;
    }
    return this.find(tenantIn(exchange), previous).then((found) => {
      if (found) return this.#goOn(exchange, chat, asked, found, false);
      const message = `There is no response "${previous}" to go on from.`;
      throw new GatewayError("response_unknown", message, { param: "previous_response_id" });
    });
  }

  #goOn(
    exchange: Exchange,
    request: GatewayRequest<"chat">,
    asked: Readonly<Fields>,
    { id, document }: StoredRecord<KeptResponse>,
    keepsItself: boolean,
  ): GatewayRequest<"chat"> {
    const { messages, input } = document;
    const output = document.response.output;
    const items = [...input, ...(Array.isArray(output) ? output : []), ...itemsOf(asked.input)];
    const body = request.body;
    // Instructions come first, whatever was said before: some vendors take none behind an answer.
    const { instructions, said } = sorted(body.messages, asked);
    const all = [...instructions, ...inTurns(messages, said)];
    const keeps = asked.store !== false;
    const rest = without("previous_response_id", keeps && !keepsItself ? without("store", body) : body);
    // Tools that were found before are called by what they are called there.
    const goingOn = withBody(request, { ...rest, messages: all }, { ...asked, input: items });
    // What is made in the background its vendor is asked about, and what is to be kept nowhere needs no id of one's own.
    if (!keepsItself || (keeps && asked.background !== true))
      this.#await(exchange, goingOn, asked, items, { id, messages, keeps });
    return goingOn;
  }

  #await(
    exchange: Exchange,
    request: GatewayRequest<"chat">,
    asked: Readonly<Fields>,
    input: readonly Readonly<Fields>[],
    from?: { readonly id: string; readonly messages: readonly Message[]; readonly keeps: boolean },
  ): void {
    const { attempt, attempts, role, endpoint } = exchange;
    // The answer to a copy is nobody's to go on from, and a count is none.
    if (!attempt || role === "shadow" || endpoint.operation !== "chat") return;
    const { said } = sorted(request.body.messages, asked);
    const tenant = tenantIn(exchange);
    const given = idOf(exchange);
    const key = keyOf(tenant, given);
    const keeps = from?.keeps ?? true;
    if (keeps && !this.#pending.has(key)) this.#pending.set(key, pending());
    // Each attempt has an id of its own: two may answer side by side, and one of them is the client's.
    const id = `${given}${attempts.indexOf(attempt)}`;
    const before = from?.messages ?? [];
    const previous = from?.id ?? null;
    this.#note(exchange, { id, keeps, tenant, request, asked, said, before, passed: false, input, previous });
  }

  #note(exchange: Exchange, awaited: Awaited): void {
    this.#awaited.set(exchange, awaited);
    if (exchange.attempt) this.#asked.set(exchange.attempt, awaited);
  }

  /** What guardrails took out of a request is not said again when somebody goes on from its response. */
  guarded(seen: GatewayRequest, exchange: Exchange): void {
    const awaited = this.#awaited.get(exchange);
    if (!awaited) return;
    const request = seen as unknown as GatewayRequest<"chat">;
    const { said } = request === awaited.request ? awaited : sorted(request.body.messages, awaited.asked);
    this.#note(exchange, { ...awaited, request, said, passed: true });
  }

  /** Says from the first event of a stream on that the response is kept. */
  announce(chunks: readonly StreamChunk[], exchange: Exchange): readonly StreamChunk[] {
    const awaited = this.#awaited.get(exchange);
    if (!awaited) return chunks;
    return chunks.map((chunk) =>
      chunk.type === "start" ? { ...chunk, id: awaited.id, extra: ownFields(awaited, chunk.extra) } : chunk,
    );
  }

  /** Keeps an answer. One that cannot be kept is the client's all the same, and says so. */
  async keep(answer: Answer, exchange: Exchange): Promise<Answer> {
    const awaited = this.#awaited.get(exchange);
    const response = answer.response as ChatResponse | undefined;
    const [choice] = response?.choices ?? [];
    if (!awaited || !response || !choice || !isSuccess(answer)) return answer;
    if (answer.sent && exchange.ending !== "complete") return answer;
    const told: ChatResponse = {
      ...response,
      id: awaited.id,
      // Whoever makes a stream of it says so from the first event on.
      extra: ownFields(awaited, response.extra),
      choices: [{ ...choice, extra: ownFields(awaited, choice.extra) }],
    };
    if (!awaited.keeps) return { ...answer, response: told };
    try {
      await this.#write(awaited, told, exchange);
    } catch (error) {
      this.#options.log.warn("a response could not be kept", { request: exchange.id, error });
      return answer;
    }
    return { ...answer, response: told };
  }

  /** Whether somebody may wait for what becomes of an exchange. */
  readonly awaits = (exchange: Exchange): boolean => this.#pending.size > 0 && this.#pending.has(keyIn(exchange));

  /** The exchange is over, however it ended: nothing of it is waited for. A promise where something is still written. */
  ended(exchange: Exchange): Promise<void> | undefined {
    const key = keyIn(exchange);
    const waiting = this.#pending.get(key);
    if (!waiting) return undefined;
    const over = () => {
      this.#pending.delete(key);
      waiting.end();
    };
    const writing = this.#keepGiven(exchange);
    if (writing) return writing.finally(over);
    over();
    return undefined;
  }

  /** What a cache answered is a response like any other, under the id the client got: it may go on from there. */
  #keepGiven(exchange: Exchange): Promise<void> | undefined {
    const { attempt, answer } = exchange;
    const awaited = attempt?.outcome?.given ? this.#asked.get(attempt) : undefined;
    const response = answer?.response as ChatResponse | undefined;
    const [choice] = response?.choices ?? [];
    if (!awaited?.keeps || !response || !choice || !answer || !isSuccess(answer)) return undefined;
    const choices = [{ ...choice, extra: ownFields(awaited, choice.extra) }];
    const kept = { ...awaited, id: idOf(exchange) };
    return this.#write(kept, { ...response, choices }, exchange).catch((error: unknown) =>
      this.#options.log.warn("a response could not be kept", { request: exchange.id, error }),
    );
  }

  async #write(awaited: Awaited, response: ChatResponse, exchange: Exchange): Promise<void> {
    const { collection, formats, seconds, now } = this.#options;
    const { id, tenant, request, said, before, passed } = awaited;
    const input = distinct(awaited.input);
    const context = { ...fullContext(exchange, request.model), asked: { ...awaited.asked, input } };
    const wire = formats.get(formatName)?.encodeResponse(response, context);
    if (!wire) return;
    const answer: Message = { role: "assistant", content: response.choices[0]?.content ?? [] };
    const messages = passed ? inTurns(withoutReferences(said), [answer]) : before;
    const expiresAt = now() + seconds * 1000;
    await collection.insert({ tenant, id, expiresAt, document: { response: wire, input, messages } });
  }
}

/** 246: guardrails failed, and let it pass. */
const isSuccess = ({ status }: Answer): boolean => status === 200 || status === 246;

/** What the answer of this format says beyond its output. */
const ownFields = ({ previous, keeps }: Awaited, extra: Extra | undefined): Extra => ({
  format: formatName,
  fields: {
    ...(extra?.format === formatName && isRecord(extra.fields) && extra.fields),
    store: keeps,
    previous_response_id: previous,
  },
});
