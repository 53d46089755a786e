import {
  borrowedSignature,
  type ChatRequest,
  type CountResponse,
  counted,
  countIn,
  type Fields,
  type Format,
  foundBegunElsewhere,
  isRecord,
  ownFields,
  plainNames,
} from "../../../core/index.ts";
import { decodeError, encodeError } from "../errors.ts";
import type { Report } from "../fields.ts";
import { decodeRequest } from "../request/decode-request.ts";
import { drops, encodeRequest } from "../request/encode-request.ts";
import { meantElsewhere } from "../request/meant-elsewhere.ts";
import { bodyHeaders } from "../upstream.ts";

const name = "anthropic-count-tokens";

/** What the API has no place for where nothing is generated. */
const settings = ["max_tokens", "stream", "metadata", "service_tier", "stop_sequences"] as const;

/** A message request that needs no bound: there is no answer to be kept short. */
function decode(wire: unknown): ChatRequest {
  const { maxTokens: _, ...request } = decodeRequest(isRecord(wire) ? { max_tokens: 1, ...wire } : wire);
  return request;
}

function encode(request: ChatRequest, report: Report, vendor?: Parameters<typeof encodeRequest>[2]): Fields {
  const wire = encodeRequest(counted(request), report, vendor);
  for (const field of settings) delete wire[field];
  return wire;
}

/** `POST /messages/count_tokens`: a message request in, the tokens of its prompt out. */
export const anthropicCount: Format<"count"> = {
  name,
  operation: "count",
  drops,
  decodeRequest: decode,
  meantElsewhere,
  encodeRequest: encode,
  toolNames: plainNames(128),
  borrowed: [borrowedSignature],
  borrows: foundBegunElsewhere("thinking", "tool_use_id", "toolu_"),
  decodeResponse: (wire) => countIn(name, "input_tokens", wire),
  encodeResponse: ({ inputTokens, extra }: CountResponse) => ({ input_tokens: inputTokens, ...ownFields(name, extra) }),
  decodeError,
  encodeError,
  requestIdHeader: "request-id",
  // A count is no usage: it costs nothing.
  readUsage: () => undefined,
  upstream: { path: "/messages/count_tokens", bodyHeaders },
};
