import { asReadIn, readJson } from "../../codec-kit/exact-json.ts";
import { customToolsIn } from "../../codec-kit/tools/custom-tools.ts";
import { withClientNames } from "../../codec-kit/tools/tool-names.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { closeBrace, openBrace, space } from "../../json-bytes.ts";
import type { Answer } from "../../model/answer.ts";
import type { ChatResponse } from "../../model/chat.ts";
import type { EncodeContext } from "../../model/format.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Outcome, Target } from "../../model/route.ts";
import type { Usage } from "../../model/usage.ts";
import { withoutDashes } from "../../time-ordered-id.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { askedIn } from "../request/asked-in.ts";
import { asksStreamUsage } from "../request/asks-usage.ts";
import type { Prepared } from "../request/prepared.ts";
import { requestOf } from "../request/request-of.ts";
import { ringThrough } from "../ring.ts";
import type { Road } from "../road.ts";
import { isStrictAt } from "../strictness.ts";
import { clientHeaders } from "./client-headers.ts";
import type { Reply } from "./conversation.ts";
import { outcomeOf } from "./outcome.ts";
import { type Rendered, render } from "./render.ts";
import type { Result } from "./result.ts";
import { usageIn } from "./usage-in.ts";

export const encodeContext = (exchange: ExchangeState, target: Target, prepared?: Prepared): EncodeContext =>
  new ExchangeContext(exchange, target, prepared);

const noTools: ReadonlySet<string> = new Set();

/** A class, because a getter in a literal would give every request a hidden class of its own. */
class ExchangeContext implements EncodeContext {
  readonly provider: string;
  readonly model: string;
  readonly strict: boolean;
  readonly now: number;
  readonly #exchange: ExchangeState;
  readonly #asked: Readonly<Record<string, unknown>> | undefined;
  #id: string | undefined;
  #customTools: ReadonlySet<string> | undefined;

  constructor(exchange: ExchangeState, target: Target, prepared: Prepared | undefined) {
    this.provider = target.provider.name;
    this.model = prepared?.model ?? requestOf(exchange)?.model ?? "";
    this.strict = isStrictAt(exchange, target);
    this.now = Math.floor(exchange.receivedAt / 1000);
    this.#exchange = exchange;
    this.#asked = prepared?.asked;
  }

  get id(): string {
    this.#id ??= withoutDashes(this.#exchange.id);
    return this.#id;
  }

  elapsed(): number {
    return this.#exchange.elapsed();
  }

  /** Read only where the request is decoded anyway. */
  get includeUsage(): boolean {
    const request = requestOf(this.#exchange);
    return request !== undefined && asksStreamUsage(request);
  }

  get asked(): Readonly<Record<string, unknown>> | undefined {
    return this.#asked ?? askedIn(this.#exchange);
  }

  get customTools(): ReadonlySet<string> {
    this.#customTools ??= customToolsIn(requestOf(this.#exchange)) ?? noTools;
    return this.#customTools;
  }
}

type Headers = Record<string, string | string[] | number>;

export const whole = (
  target: Target,
  answer: Answer,
  outcome: Outcome,
  rendered: Rendered,
  headers: Headers,
): Whole => ({
  kind: "whole",
  target,
  outcome,
  headers: Object.assign(headers, answer.headers, rendered.headers, { "content-type": rendered.contentType }),
  bytes: rendered.bytes,
  answer,
});

type Whole = Result & { readonly kind: "whole" };

/** An answer a tap gave instead of calling anyone. `asked` is the request as the target would have been asked. */
export function givenAnswer(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  answer: Answer,
  asked: Pick<GatewayRequest, "format" | "stream"> | undefined = requestOf(exchange),
): Result {
  const format = road.formats.get(asked?.format ?? "");
  // A config may say another word than the client (routing-config.md section 5).
  const stream = asked?.stream === true;
  const rendered =
    answer.wire && !stream && answer.wire.format === (format?.name ?? "raw")
      ? { bytes: answer.wire.bytes, contentType: "application/json" }
      : render(format, answer, encodeContext(exchange, target), stream);
  return whole(target, answer, outcomeOf(answer.status, {}, { given: true }), rendered, {});
}

/** A whole answer of an upstream: its bytes where nothing has to change, a translation where it must. */
export function wholeAnswer(
  road: Road,
  exchange: ExchangeState,
  target: Target,
  prepared: Prepared,
  reply: Reply,
  bytes: Buffer,
): Result | Promise<Result> {
  const headers = clientHeaders(reply.headers, road.settings.headerPrefixes);
  const { upstream, client, spec } = prepared;
  // A client that waits for a stream is given one, even where the vendor answered in one piece.
  const asItCame =
    !prepared.translated &&
    !(prepared.stream && client.encodeStream) &&
    !spec.normalise &&
    !client.overlooks?.(bytes, () => askedIn(exchange));
  if (asItCame && !(road.used.afterRequest && road.wants.afterRequest(exchange))) {
    if (headers["content-encoding"] === undefined) {
      if (!looksLikeObject(bytes)) objectIn(bytes, target);
      // Clients read only what says that it is JSON.
      if (!String(headers["content-type"]).startsWith("application/json")) headers["content-type"] = "application/json";
    }
    const outcome = outcomeOf(reply.status, reply.headers);
    usageIs(exchange, () => usageIn(bytes, upstream));
    return { kind: "whole", target, outcome, headers, bytes, received: bytes };
  }
  const came = asItCame ? 0 : exchange.elapsed();
  const answer: Answer =
    asItCame && !road.decodes(exchange)
      ? inBytes(reply.status, upstream.name, bytes, target)
      : decoded(reply, prepared, objectIn(bytes, target));
  const decoding = asItCame ? 0 : exchange.elapsed() - came;
  if ("content-encoding" in headers) delete headers["content-encoding"];
  // Whatever taps make of the answer, the vendor has been at work.
  usageIs(exchange, () => (answer.wire ? usageIn(bytes, upstream) : answer.response?.usage));
  const seenAs = (seen: Answer): Result => {
    const from = asItCame ? 0 : exchange.elapsed();
    // What a tap made of it is the same answer otherwise.
    if (answer.response && seen.response) asReadIn(answer.response, seen.response);
    // Another status alone changes nothing in the body.
    const rendered =
      asItCame && seen.response === answer.response && seen.wire === answer.wire && !seen.body
        ? { bytes, contentType: "application/json" }
        : render(client, seen, encodeContext(exchange, target, prepared), prepared.stream);
    if (!asItCame && exchange.attempt) exchange.attempt.translationTime = decoding + exchange.elapsed() - from;
    return Object.assign(whole(target, seen, outcomeOf(seen.status, reply.headers), rendered, headers), {
      received: bytes,
    });
  };
  if (!road.used.afterRequest) return seenAs(answer);
  const rung = ringThrough(road.hooks.afterRequest, answer, exchange);
  return rung instanceof Promise ? rung.then(seenAs) : seenAs(rung);
}

/** Says how to find out what the attempt under way used, for when the client has its answer. */
export function usageIs({ attempt }: ExchangeState, read: () => Usage | undefined): void {
  if (attempt) attempt.readUsage = read;
}

function decoded(
  { status, headers }: Reply,
  { upstream, spec, clientNames }: Prepared,
  wire: Record<string, unknown>,
): Answer {
  const response = upstream.decodeResponse(spec.normalise ? spec.normalise(wire, headers) : wire);
  const known =
    clientNames && "choices" in response ? withClientNames(response as ChatResponse, clientNames) : response;
  return { kind: "answer", status, response: asReadIn(wire, known) };
}

function inBytes(status: number, format: string, bytes: Buffer, target: Target): Answer {
  if (!looksLikeObject(bytes)) objectIn(bytes, target);
  return { kind: "answer", status, wire: { format, bytes } };
}

/** Whether bytes begin and end as a JSON object does: what tells a cut or foreign body without parsing all of them. */
function looksLikeObject(bytes: Buffer): boolean {
  let from = 0;
  let to = bytes.length - 1;
  while (from < to && (bytes[from] ?? 0) <= space) from++;
  while (to > from && (bytes[to] ?? 0) <= space) to--;
  return bytes[from] === openBrace && bytes[to] === closeBrace;
}

function objectIn(bytes: Buffer, target: Target): Record<string, unknown> {
  try {
    const value = readJson(bytes.toString());
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (cause) {
    throw new GatewayError(
      "upstream_invalid",
      `${target.provider.name} answered with something that is not JSON.`,
      {},
      { cause },
    );
  }
  throw new GatewayError("upstream_invalid", `${target.provider.name} answered with JSON that is not an object.`);
}
