import {
  borrowedSignature,
  type ChatRequest,
  type CountResponse,
  counted,
  countIn,
  type Fields,
  type Format,
  ownFields,
  plainNames,
} from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import type { Report } from "../extra.ts";
import { redactedPrefix } from "../request/decode-input.ts";
import { decodeRequest } from "../request/decode-request.ts";
import { drops, encodeRequest } from "../request/encode-request.ts";
import { meantElsewhere } from "../request/meant-elsewhere.ts";
import { refuseElsewhere } from "../request/refuse-elsewhere.ts";

const name = "openai-input-tokens";

/** What the API has a place for, and refuses anything else (openai-node, InputTokenCountParams). */
const known: ReadonlySet<string> = new Set([
  "model",
  "input",
  "instructions",
  "conversation",
  "previous_response_id",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
  "text",
  "truncation",
  "personality",
]);

function encode(request: ChatRequest, report: Report, vendor?: Parameters<typeof encodeRequest>[2]): Fields {
  const wire = encodeRequest(counted(request), report, vendor);
  return Object.fromEntries(Object.entries(wire).filter(([field]) => known.has(field)));
}

/** `POST /responses/input_tokens`: a request for a response in, the tokens of its prompt out. */
export const inputTokens: Format<"count"> = {
  name,
  operation: "count",
  drops,
  decodeRequest,
  refuseElsewhere,
  meantElsewhere,
  encodeRequest: encode,
  toolNames: plainNames(64),
  borrowed: [borrowedSignature, `"${redactedPrefix}`],
  decodeResponse: (wire) => countIn(name, "input_tokens", wire),
  encodeResponse: ({ inputTokens, extra }: CountResponse) => ({
    object: "response.input_tokens",
    input_tokens: inputTokens,
    ...ownFields(name, extra),
  }),
  decodeError,
  // A count is no usage: it costs nothing.
  readUsage: () => undefined,
  upstream: { path: "/responses/input_tokens" },
};
