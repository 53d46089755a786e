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
  plainNames,
  refuse,
} from "../../../core/index.ts";
import { decodeError, encodeError, errorHeaders } from "../errors.ts";
import type { Report } from "../fields.ts";
import { decodeRequest } from "../request/decode-request.ts";
import { drops, encodeRequest } from "../request/encode-request.ts";
import { meantElsewhere } from "../request/meant-elsewhere.ts";
import { readUrl } from "../url.ts";

const name = "bedrock-count-tokens";

/** A whole Converse request stands in a field; one for an invocation is in the format of its model, and not read here. */
function decode(body: unknown): ChatRequest {
  const wire = isRecord(body) ? body : refuse("body", "an object", body);
  const converse = isRecord(wire.input) ? wire.input.converse : undefined;
  if (!isRecord(converse)) refuse("input.converse", "a Converse request, the one kind that is translated", converse);
  return decodeRequest({ ...converse, model: wire.model });
}

function encode(request: ChatRequest, report: Report): Fields {
  const { model, messages, system, toolConfig, additionalModelRequestFields } = encodeRequest(counted(request), report);
  return compact({
    model,
    input: { converse: compact({ messages, system, toolConfig, additionalModelRequestFields }) },
  });
}

/** CountTokens: a Converse request in, the tokens of its prompt out. */
export const bedrockCount: Format<"count"> = {
  name,
  operation: "count",
  drops,
  readUrl,
  decodeRequest: decode,
  meantElsewhere,
  encodeRequest: encode,
  toolNames: plainNames(64),
  decodeResponse: (wire) => countIn(name, "inputTokens", wire),
  encodeResponse: ({ inputTokens, extra }: CountResponse) => ({ inputTokens, ...ownFields(name, extra) }),
  decodeError,
  encodeError,
  errorHeaders,
  requestIdHeader: "x-amzn-requestid",
  // A count is no usage: it costs nothing.
  readUsage: () => undefined,
  upstream: { path: ({ model }) => `/model/${encodeURIComponent(model)}/count-tokens` },
};
