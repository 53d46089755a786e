import {
  compact,
  type EmbeddingRequest,
  type EmbeddingResponse,
  type Fields,
  type Format,
  isRecord,
  leftovers,
  type PathContext,
  raise,
  readErrorBody,
  refuse,
  type Usage,
} from "../../../core/index.ts";
import { decodeError, encodeError, errorHeaders } from "../errors.ts";
import type { Report } from "../fields.ts";

/** What makers of embedding models write differently; each embeds one thing at a time. */
export interface EmbeddingCodec {
  readonly name: string;
  readonly drops: readonly string[];
  /** Fields of its own that clients of the unified API may send as they are. */
  readonly takes?: readonly string[];
  encode(request: EmbeddingRequest, input: string | Readonly<Fields>, report: Report): Fields;
  decode(wire: Readonly<Fields>): Partial<EmbeddingRequest> & Pick<EmbeddingRequest, "input">;
  /** The vector of an answer; undefined when there is none. */
  vectorIn(wire: Readonly<Fields>): unknown;
  answer(vector: readonly number[], usage: Usage | undefined): Fields;
  usageIn(wire: Readonly<Fields>): Usage | undefined;
  /** Fields of an answer that are read. */
  readonly answerFields: ReadonlySet<string>;
}

const called = /^\/model\/([^/?]+)\/invoke\/?(?:\?|$)/;

/** Models are invoked at a path that names them, with a body of their maker's own (providers.md section 9.8). */
const path = ({ model }: PathContext): string => `/model/${encodeURIComponent(model)}/invoke`;

export function embeddingFormat(codec: EmbeddingCodec): Format<"embed"> {
  const { name, drops, answerFields, takes = [] } = codec;
  return {
    name,
    operation: "embed",
    drops,
    readUrl: (url) => {
      const [, model] = called.exec(url) ?? [];
      return model === undefined ? {} : { model: decodeURIComponent(model) };
    },
    decodeRequest(body) {
      const wire = isRecord(body) ? body : refuse("body", "an object", body);
      const model = typeof wire.model === "string" ? wire.model : "";
      return { model, single: true, ...codec.decode(wire) };
    },
    encodeRequest(request, report) {
      if (request.user !== undefined) report("user");
      if (request.extra && request.extra.format !== name)
        for (const field of Object.keys(request.extra.fields)) if (!takes.includes(field)) report(field);
      const { model } = request;
      return { ...(model === "" ? {} : { model }), ...codec.encode(request, onlyInput(request), report) };
    },
    decodeResponse(body): EmbeddingResponse {
      const wire = isRecord(body) ? body : {};
      const vector = codec.vectorIn(wire);
      if (!isVector(vector))
        return raise("upstream_invalid", `The answer holds no embedding: ${readErrorBody(body)?.message ?? name}`);
      const rest = leftovers(wire, answerFields);
      return {
        data: [{ index: 0, vector }],
        ...compact({ usage: codec.usageIn(wire) }),
        ...(rest && { extra: { format: name, fields: rest } }),
      };
    },
    encodeResponse({ data, usage, extra }) {
      const [first] = data;
      const kept = extra?.format === name ? extra.fields : {};
      return { ...codec.answer(numbersOf(first?.vector ?? []), usage), ...kept };
    },
    decodeError,
    encodeError,
    errorHeaders,
    requestIdHeader: "x-amzn-requestid",
    readUsage: (wire) => (isRecord(wire) ? codec.usageIn(wire) : undefined),
    upstream: { path },
  };
}

/** These models embed one input a call; embedding only the first of several would answer another question. */
function onlyInput({ input }: EmbeddingRequest): string | Readonly<Fields> {
  const [first] = input;
  if (input.length !== 1) refuse("input", "one text: this model embeds one at a time", input.length);
  if (typeof first === "string" || isRecord(first)) return first;
  return refuse("input", "text: this vendor takes no token ids", first);
}

const isVector = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((one) => typeof one === "number");

/** Little-endian float32 as base64 is how other APIs write vectors for short. */
function numbersOf(vector: readonly number[] | string): readonly number[] {
  if (typeof vector !== "string") return vector;
  const bytes = Buffer.from(vector, "base64");
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}
