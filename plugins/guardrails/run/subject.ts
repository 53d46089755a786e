import {
  type CheckedRequest,
  type CheckedResponse,
  type CheckInput,
  type CheckResult,
  type CheckSubject,
  type CheckTarget,
  type Exchange,
  type Format,
  fullContext,
  type GatewayRequest,
  type OperationName,
  type RequestOf,
  type ResponseOf,
  withBody,
} from "../../../core/index.ts";
import type { FormatsByName } from "../texts/beside.ts";
import { type Texts, textsOfRequest } from "../texts/request-texts.ts";
import { textsOfResponse } from "../texts/response-texts.ts";
import { routedModel, withModel } from "./written-model.ts";

type AnyRequest = RequestOf<OperationName>;
type AnyResponse = ResponseOf<OperationName>;

interface Parts {
  readonly exchange: Exchange;
  readonly target: CheckTarget;
  readonly format: Format | undefined;
  /** All there are, for what else stands in an answer. */
  readonly formats?: FormatsByName;
  readonly request: GatewayRequest;
  readonly response?: AnyResponse | undefined;
  readonly status?: number;
  readonly headers: CheckSubject["headers"];
  readonly changed: boolean;
  /** Of an answer: whether the request was changed before it was sent. */
  readonly requestChanged?: boolean;
}

/** A request, or an answer, as checks see it at one moment; what they change makes a new one. */
export class Subject {
  readonly #parts: Parts;
  #texts: Texts<AnyRequest | AnyResponse> | undefined | null = null;
  #input: CheckInput | undefined;
  #said: CheckInput | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  static ofRequest(exchange: Exchange, request: GatewayRequest, format: Format | undefined): Subject {
    return new Subject({ exchange, target: "request", format, request, headers: exchange.headers, changed: false });
  }

  static ofResponse(
    exchange: Exchange,
    request: GatewayRequest,
    format: Format | undefined,
    answered: Required<Pick<Parts, "status" | "requestChanged" | "formats">> & { response: AnyResponse },
  ): Subject {
    const { headers: sent, checkedHeaders: headers = sent } = exchange;
    const own = { ...answered, changed: false };
    return new Subject(Object.assign({ exchange, target: "response" as const, format, request, headers }, own));
  }

  get request(): GatewayRequest {
    return this.#parts.request;
  }

  get response(): AnyResponse | undefined {
    return this.#parts.response;
  }

  get changed(): boolean {
    return this.#parts.changed;
  }

  get target(): CheckTarget {
    return this.#parts.target;
  }

  get headers(): CheckSubject["headers"] {
    return this.#parts.headers;
  }

  /** What a check is given. The bodies are made when it looks at them. */
  get input(): CheckInput {
    this.#input ??= new SeenInput(this.#parts, this.#own?.texts ?? none);
    return this.#input;
  }

  /** The same for those that measure what was said: nothing of what stands beside it. */
  get said(): CheckInput {
    const { texts = none, said = 0 } = this.#own ?? {};
    if (texts.length === said) return this.input;
    this.#said ??= new SeenInput(this.#parts, texts.slice(0, said));
    return this.#said;
  }

  /** The subject after a check has changed something; itself where it has not. */
  after(result: CheckResult): Subject {
    const { texts, json, body, headers } = result;
    let next = this.#parts;
    if (headers) next = Object.assign({}, next, { headers: Object.assign({}, next.headers, headers) });
    if (texts?.some((text) => text !== null)) next = this.#with(next, this.#own?.with(texts));
    if (json !== undefined) next = this.#with(next, this.#decoded(json));
    if (body !== undefined) next = this.#with(next, body);
    return next === this.#parts ? this : new Subject(next);
  }

  get #own(): Texts<AnyRequest | AnyResponse> | undefined {
    if (this.#texts === null) {
      const { target, request, response } = this.#parts;
      this.#texts =
        target === "request"
          ? textsOfRequest(request)
          : response && textsOfResponse(request.operation, response, this.#parts.formats);
    }
    return this.#texts ?? undefined;
  }

  #with(parts: Parts, body: AnyRequest | AnyResponse | undefined): Parts {
    if (body === undefined) return parts;
    return parts.target === "response"
      ? Object.assign({}, parts, { response: body as AnyResponse, changed: true })
      : Object.assign({}, parts, { request: changedRequest(parts.request, body as AnyRequest), changed: true });
  }

  #decoded(json: unknown): AnyRequest | AnyResponse | undefined {
    const { format, target } = this.#parts;
    if (target === "response") return format?.decodeResponse(json);
    const { request, exchange } = this.#parts;
    const body: AnyRequest | undefined = format?.decodeRequest(withModel(json, request));
    const model = body?.model && routedModel(body.model, request, exchange.attempt?.target.provider.slug);
    return model === body?.model ? body : Object.assign({}, body, { model });
  }
}

/** Whether its answer is streamed stays as the client asked, for whom the answer is. */
function changedRequest(request: GatewayRequest, body: AnyRequest): GatewayRequest {
  const { stream } = request;
  const streams = (body as { readonly stream?: boolean }).stream ?? stream;
  return withBody(request, streams === stream ? body : Object.assign({}, body, { stream }));
}

const none: readonly string[] = [];

const saidIn = (looked: Texts<unknown> | undefined): readonly string[] => looked?.texts.slice(0, looked.said) ?? none;

function joined(texts: readonly string[]): string {
  let all = "";
  for (const text of texts) if (text !== "") all = all === "" ? text : `${all}\n${text}`;
  return all;
}

/** A class, because most checks look at the text alone: what it belongs to is made for those that ask. */
class SeenInput implements CheckInput {
  readonly text: string;
  readonly texts: readonly string[];
  readonly target: CheckTarget;
  readonly #parts: Parts;
  #subject: CheckSubject | undefined;

  constructor(parts: Parts, texts: readonly string[]) {
    this.text = joined(texts);
    this.texts = texts;
    this.target = parts.target;
    this.#parts = parts;
  }

  get subject(): CheckSubject {
    this.#subject ??= new SeenSubject(this.#parts);
    return this.#subject;
  }
}

/** Bodies are written out for those that ask. */
class SeenSubject implements CheckSubject {
  readonly exchange: Exchange;
  readonly requestType: string;
  readonly provider: string;
  readonly model: string | undefined;
  readonly headers: CheckSubject["headers"];
  readonly request: CheckedRequest;
  readonly response?: CheckedResponse;

  constructor(parts: Parts) {
    const { exchange, request, headers } = parts;
    this.exchange = exchange;
    this.requestType = typeOf(exchange, request);
    this.provider = exchange.attempt?.target.provider.slug ?? "";
    this.model = request.model;
    this.headers = headers;
    this.request = new SeenRequest(parts);
    if (parts.response) this.response = new SeenResponse(parts, parts.response);
  }

  get metadata(): CheckSubject["metadata"] {
    return this.exchange.metadata;
  }
}

/** A prompt is judged as the request it was rendered to (guardrails.md section 3.1), whose type is that of its format. */
function typeOf({ endpoint }: Exchange, { operation }: GatewayRequest): string {
  const { type, prepare } = endpoint;
  return (prepare && operation && renderedTypes[operation]) ?? type;
}

const renderedTypes: Partial<Record<OperationName, string>> = { chat: "chatComplete", complete: "complete" };

class SeenRequest implements CheckedRequest {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
  get json(): unknown {
    const { request, format } = this.#parts;
    if (request.bytes) return request.json;
    return this.body && format ? format.encodeRequest(this.body, ignored) : undefined;
  }
  get body(): AnyRequest | undefined {
    const { request } = this.#parts;
    return request.operation === undefined ? undefined : request.body;
  }
  get text(): string {
    return joined(saidIn(textsOfRequest(this.#parts.request)));
  }
  get streams(): boolean {
    return this.#parts.request.stream;
  }
  get transformed(): boolean {
    const { target, changed, requestChanged = false } = this.#parts;
    return target === "request" ? changed : requestChanged;
  }
}

class SeenResponse implements CheckedResponse {
  readonly body: AnyResponse;
  readonly #parts: Parts;

  constructor(parts: Parts, body: AnyResponse) {
    this.#parts = parts;
    this.body = body;
  }
  get json(): unknown {
    const { format, exchange, request } = this.#parts;
    // What a check writes back is read: fields that repeat a text, and count for more, would undo its change of the text.
    return format?.encodeResponse(this.body, { ...fullContext(exchange, request.model), strict: true });
  }
  get text(): string {
    const { request, formats } = this.#parts;
    return joined(saidIn(textsOfResponse(request.operation, this.body, formats)));
  }
  get status(): number {
    return this.#parts.status ?? 200;
  }
  get transformed(): boolean {
    return this.#parts.changed;
  }
}

const ignored = () => {};
