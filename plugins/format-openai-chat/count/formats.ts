import {
  type ChatRequest,
  type CountResponse,
  compact,
  counted,
  countIn,
  type Fields,
  type Format,
  isRecord,
  plainNames,
  readErrorBody,
} from "../../../core/index.ts";
import { decodeRequest, drops, encodeRequest } from "../request/request.ts";

/** Where vendors of chat completions count the tokens of a request, each at a place of its own. */
interface Place {
  readonly name: string;
  readonly path: string;
  /** What of the answer says the `total_tokens`. */
  readonly holder: string;
}

const places: readonly Place[] = [
  // https://platform.kimi.ai/docs/api/estimate
  { name: "moonshot-count-tokens", path: "/v1/tokenizers/estimate-token-count", holder: "data" },
  // https://docs.z.ai/api-reference/tools/tokenizer
  { name: "zhipu-count-tokens", path: "/tokenizer", holder: "usage" },
];

/** A request for a chat in, the tokens of its prompt out. */
export const countFormats: readonly Format<"count">[] = places.map(({ name, path, holder }) => ({
  name,
  operation: "count",
  drops,
  decodeRequest,
  encodeRequest: encode,
  toolNames: plainNames(64),
  decodeResponse: (wire) =>
    countIn(name, "total_tokens", isRecord(wire) && isRecord(wire[holder]) ? wire[holder] : wire),
  encodeResponse: ({ inputTokens }: CountResponse) => ({ [holder]: { total_tokens: inputTokens } }),
  decodeError: readErrorBody,
  // A count is no usage: it costs nothing.
  readUsage: () => undefined,
  upstream: { path },
}));

/** What there is to count; everything else says how to answer, and may be refused. */
function encode(
  request: ChatRequest,
  report: (dropped: string) => void,
  vendor?: Parameters<typeof encodeRequest>[2],
): Fields {
  const { model, messages, tools } = encodeRequest(counted(request), report, vendor);
  return compact({ model, messages, tools });
}
