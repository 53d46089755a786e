import { asReadIn, withMembers, writeJson } from "../../codec-kit/exact-json.ts";
import { GatewayError } from "../../errors/gateway-error.ts";
import { byteOrderMark, unmarked } from "../../json-bytes.ts";
import type { Format, UrlSays } from "../../model/format.ts";
import type { OperationName, RequestOf } from "../../model/operations.ts";
import type { GatewayRequest, RequestOrigin } from "../../model/request.ts";
import type { Shape } from "../../model/route.ts";
import { askingFor } from "./asking-for.ts";
import { type Form, readFormBody, withModelIn } from "./form-body.ts";
import { lifted } from "./lifted.ts";
import { jsonBytes, type LongTexts, parseAround } from "./long-texts.ts";
import { parseBody } from "./parse-body.ts";
import { type Peek, peeker } from "./peek.ts";
import { peekedValue } from "./peeked-value.ts";
import { queryOf } from "./query-of.ts";
import { asSent } from "./sent-body.ts";
import { shapeBody } from "./shape-body.ts";

interface WireParts {
  readonly format: Format | undefined;
  readonly operation: OperationName | undefined;
  /** Without a byte order mark. */
  readonly bytes: Buffer | undefined;
  /** Whether the bytes came with one. */
  readonly marked?: boolean;
  /** What came, where the bytes were made of it: the model was said elsewhere in it. */
  readonly received?: Buffer | undefined;
  readonly peeked: Peek | undefined;
  /** The model as it stands in the bytes. */
  readonly wireModel: string | undefined;
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly body: RequestOf<OperationName> | undefined;
  /** Where the bytes are a form. */
  readonly form?: Form | undefined;
  /** Of what the body was made of, where it has no bytes of its own. */
  readonly longTexts?: LongTexts | undefined;
  readonly read?: object | undefined;
  readonly origin?: RequestOrigin | undefined;
}

interface Parsed {
  readonly value: unknown;
  readonly texts?: LongTexts | undefined;
}

/** A request made of bytes: parsed, and decoded, only when somebody looks. */
export class WireRequest implements GatewayRequest {
  readonly #parts: WireParts;
  #json: Parsed | undefined;
  #body: RequestOf<OperationName> | undefined;

  constructor(parts: WireParts, json?: Parsed) {
    this.#parts = parts;
    this.#json = json;
    this.#body = parts.body;
  }
  get operation() {
    return this.#parts.operation;
  }
  get format() {
    return this.#parts.format?.name;
  }
  get model() {
    return this.#parts.model;
  }
  get stream() {
    return this.#parts.stream;
  }
  get formType() {
    return this.#parts.form?.contentType;
  }
  get bytes() {
    return this.#parts.bytes;
  }
  get origin() {
    return this.#parts.origin;
  }
  /** The model as the client wrote it, with the provider in front. */
  get wireModel() {
    return this.#parts.wireModel;
  }
  /** The end user the client names in the body, without parsing it. */
  get user(): string | undefined {
    const { bytes, peeked, form } = this.#parts;
    const user = form ? form.fields.user : bytes && peekedValue(bytes, peeked, "user");
    return typeof user === "string" ? user : undefined;
  }
  get peeked() {
    return this.#parts.peeked;
  }
  get keys(): ReadonlySet<string> | undefined {
    return this.#parts.peeked?.keys;
  }
  get json(): unknown {
    this.#json ??= this.#parsed();
    return this.#json.value;
  }
  /** Texts of the body as they were written, once it was parsed. */
  get longTexts(): LongTexts | undefined {
    return this.#json?.texts ?? this.#parts.longTexts;
  }
  /** The body as it was read, once it was: what was made of it is written as it says (`asReadIn`). */
  get read(): object | undefined {
    const value = this.#json?.value;
    return typeof value === "object" && value !== null ? value : this.#parts.read;
  }
  get body(): RequestOf<OperationName> {
    if (!this.#body) {
      const { format, model } = this.#parts;
      if (!format) throw new GatewayError("internal", "A raw request has no canonical body.");
      const decoded = format.decodeRequest(this.json);
      this.#body = model !== undefined && decoded.model !== model ? { ...decoded, model } : decoded;
    }
    return this.#body;
  }
  /** The same request for another model. The bytes stay: the model is exchanged inside them when they are sent. */
  withModel(model: string): WireRequest {
    if (model === this.#parts.model) return this;
    const body = this.#body && { ...this.#body, model };
    return new WireRequest({ ...this.#parts, model, body }, this.#json);
  }
  /** The body, with what the URL said in it where that is where the format says it. */
  #parsed(): Parsed {
    const { bytes, peeked, format, model, stream, form } = this.#parts;
    if (form) return { value: form.fields };
    const around = bytes && peeked && peeked.longTexts.length > 0 ? parseAround(bytes, peeked.longTexts) : undefined;
    const { value, texts }: Parsed = around ?? { value: parseBody(bytes) };
    if (!format?.readUrl) return { value, texts };
    return { value: withMembers(value as object, { model, stream }), texts };
  }
  /** The client's bytes, asking for this request's model; undefined when the model does not stand in them. */
  get ownBytes(): Buffer | undefined {
    const { bytes, peeked, format, wireModel, model, form } = this.#parts;
    if (!bytes || model === wireModel || format?.readUrl) return bytes;
    if (form) return withModelIn(form, bytes, model ?? "");
    const range = peeked?.ranges.get("model");
    if (!range) return undefined;
    return Buffer.concat([bytes.subarray(0, range[0]), Buffer.from(JSON.stringify(model)), bytes.subarray(range[1])]);
  }
  /** As a raw call sends it: byte for byte what came, but for its model. */
  get rawBytes(): Buffer | undefined {
    const { bytes, marked, received, model, wireModel } = this.#parts;
    if (bytes && received && model === wireModel) return received;
    const own = this.ownBytes ?? bytes;
    return marked && own ? Buffer.concat([byteOrderMark, own]) : own;
  }
  /** The same request with a body changed in the client's own format. */
  shaped(shape: Shape): WireRequest {
    const { format, form, model } = this.#parts;
    // Of a form only the model is a config's to say (inference-api.md section 13).
    if (form) {
      const named = shape.overrides?.model ?? model ?? shape.defaults?.model;
      return typeof named === "string" ? this.withModel(named) : this;
    }
    const json = shapeBody(this.json as Record<string, unknown>, shape);
    const body = format ? asSent(format, json) : json;
    return wireRequest(jsonBytes(body, this.longTexts), format, json).madeOf(this.origin);
  }
  /** The same request, with what it was made of. */
  madeOf(origin: RequestOrigin | undefined): WireRequest {
    return origin ? new WireRequest({ ...this.#parts, origin }, this.#json) : this;
  }
  /** What was written instead of what the client wrote (see `withBody`); undefined where nothing was. */
  get rewritten(): Readonly<Record<string, unknown>> | undefined {
    return this.#parts.bytes ? undefined : (this.#json?.value as Readonly<Record<string, unknown>> | undefined);
  }
  /** The same request with another canonical body. From here on it is encoded anew for every upstream. */
  withBody(body: RequestOf<OperationName>, written = this.rewritten): WireRequest {
    const { stream = this.#parts.stream } = body as { stream?: boolean };
    const { read } = this;
    if (read) asReadIn(read, body);
    const parts = {
      ...this.#parts,
      bytes: undefined,
      peeked: undefined,
      form: undefined,
      longTexts: this.longTexts,
      read,
      model: body.model,
      stream,
      body,
    };
    return new WireRequest(parts, written && { value: written });
  }
}

/**
 * A request of a format that says model and stream in its body, out of JSON that nobody has sent like this. Throws
 * `invalid_request` where its model is no text.
 */
export const requestFrom = (
  format: Format,
  json: Readonly<Record<string, unknown>>,
  origin?: RequestOrigin,
): GatewayRequest => wireRequest(Buffer.from(writeJson(json)), format).madeOf(origin);

/** A request that is nothing but a canonical body: nobody has sent it, and it has no format. */
export const requestOfBody = <Operation extends OperationName>(
  operation: Operation,
  body: RequestOf<Operation>,
): GatewayRequest =>
  new WireRequest({
    format: undefined,
    operation,
    bytes: undefined,
    peeked: undefined,
    wireModel: body.model,
    model: body.model,
    stream: false,
    body,
  });

/** What taps see of a request whose body is not read: nothing but that it is there. */
export const unreadRequest = (): WireRequest => new WireRequest(unreadParts);

const unreadParts: WireParts = {
  format: undefined,
  operation: undefined,
  bytes: undefined,
  peeked: undefined,
  wireModel: undefined,
  model: undefined,
  stream: false,
  body: undefined,
};

/** The same of a request for a socket, whose URL names the model. */
export function socketRequest(url: string): WireRequest {
  const model = queryOf(url).get("model") ?? undefined;
  const said = model === undefined ? {} : { model };
  return new WireRequest({ ...unreadParts, wireModel: model, model }, { value: said });
}

const peekBody = peeker(["model", "stream", "user"]);

/**
 * Reads what routing needs off a JSON body, or off what the URL said where the format says it there. Of another format a URL
 * may say the model all the same: the body asks for that one from here on. Throws `invalid_json` naming the place.
 */
export function wireRequest(received: Buffer, format: Format | undefined, said?: UrlSays): WireRequest {
  const plain = unmarked(received);
  const marked = plain !== received;
  const inUrl = format?.readUrl ? (said ?? {}) : undefined;
  const asked = !inUrl && said?.model !== undefined ? askingFor(plain, said.model) : plain;
  const bytes = format?.lift ? lifted(asked, format.lift) : asked;
  const peeked = peekBody(bytes);
  // A raw body that turns out to be empty is no body: vendors have calls that refuse any.
  if (!peeked && (format || bytes.length > 0)) {
    const value = parseBody(bytes);
    if (format && (typeof value !== "object" || value === null || Array.isArray(value)))
      throw new GatewayError("invalid_request", "The body must be a JSON object.");
  }
  const model = inUrl ? inUrl.model : peekedValue(bytes, peeked, "model");
  if (format && model !== undefined && model !== null && typeof model !== "string")
    throw new GatewayError("invalid_request", `model must be a string, not ${JSON.stringify(model)}.`, {
      param: "model",
    });
  const wireModel = typeof model === "string" ? model : undefined;
  return new WireRequest({
    format,
    operation: format?.operation,
    bytes,
    marked,
    received: bytes === asked ? undefined : received,
    peeked,
    wireModel,
    model: wireModel,
    stream: (inUrl ? inUrl.stream : peekedValue(bytes, peeked, "stream")) === true,
    body: undefined,
  });
}

/** Reads a form, which asks for the model of the URL where that says one. Throws `invalid_request` where it is none. */
export function formRequest(
  received: Buffer,
  contentType: string | undefined,
  format: Format,
  said?: UrlSays,
): WireRequest {
  const came = readFormBody(received, contentType);
  const isMeant = said?.model === undefined || came.fields.model === said.model;
  const bytes = isMeant ? received : withModelIn(came, received, said.model);
  const form = isMeant ? came : readFormBody(bytes, contentType);
  const { model } = form.fields;
  const wireModel = typeof model === "string" && model !== "" ? model : undefined;
  return new WireRequest({
    format,
    operation: format.operation,
    bytes,
    peeked: { keys: new Set(Object.keys(form.fields)), ranges: new Map(), longTexts: [] },
    wireModel,
    model: wireModel,
    stream: form.fields.stream === "true",
    body: undefined,
    form,
  });
}
