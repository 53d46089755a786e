import {
  type ChatRequest,
  type CountResponse,
  compact,
  counted,
  countIn,
  type Fields,
  type Format,
  isRecord,
  ownFields,
} from "../../../core/index.ts";
import { decodeError, encodeError } from "../errors.ts";
import { objectAt, type Report } from "../fields.ts";
import { decodeRequest } from "../request/decode-request.ts";
import { drops, encodeRequest } from "../request/encode-request.ts";
import { refuseElsewhere } from "../request/refuse-elsewhere.ts";
import { toolNames } from "../tool-names.ts";
import { pathTo, readUrl } from "../url.ts";

const name = "gemini-count-tokens";

/** Contents alone, a whole request in a field of its own, or, as on Vertex AI, the fields of one. */
function decode(body: unknown): ChatRequest {
  const wire = objectAt(body, "");
  const { generateContentRequest: whole, model } = wire;
  if (whole === undefined) return decodeRequest({ ...wire, stream: false });
  const inner = objectAt(whole, "generateContentRequest");
  return decodeRequest({ ...inner, model: model ?? inner.model, stream: false });
}

function encode(request: ChatRequest, report: Report): Fields {
  const wire = encodeRequest(counted(request), report);
  const { model, contents, systemInstruction, tools, toolConfig, generationConfig, cachedContent } = wire;
  const more = compact({ systemInstruction, tools, toolConfig, generationConfig, cachedContent });
  if (Object.keys(more).length === 0) return compact({ model, contents });
  return compact({ model, generateContentRequest: named({ contents, ...more }, model) });
}

/** The request inside repeats the model of the path, and the vendor refuses another one. */
function named(inner: Readonly<Fields>, model: unknown): Fields {
  if (typeof model !== "string" || model === "") return { ...inner };
  return { ...inner, model: /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}` };
}

function renamed(wire: Readonly<Fields>): Fields {
  const { generate_content_request: snake, generateContentRequest: inner = snake, ...rest } = wire;
  return isRecord(inner) ? { ...rest, generateContentRequest: named(inner, wire.model) } : { ...wire };
}

/** `countTokens`: a request or its contents in, the tokens of its prompt out. */
export const geminiCount: Format<"count"> = {
  name,
  operation: "count",
  drops,
  readUrl,
  decodeRequest: decode,
  refuseElsewhere,
  encodeRequest: encode,
  toolNames,
  decodeResponse: (wire) => countIn(name, "totalTokens", wire),
  encodeResponse: ({ inputTokens, extra }: CountResponse) => ({ totalTokens: inputTokens, ...ownFields(name, extra) }),
  decodeError,
  encodeError,
  // A count is no usage: it costs nothing.
  readUsage: () => undefined,
  upstream: {
    path: ({ model }) => pathTo(model, "countTokens"),
    rewrite: { when: ['"generateContentRequest"', '"generate_content_request"'], apply: renamed },
  },
};
