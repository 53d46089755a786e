import { borrowedSignature, type Format, foundBegunElsewhere, isRecord, plainNames } from "../../core/index.ts";
import { decodeError, encodeError } from "./errors.ts";
import { formatName } from "./fields.ts";
import { jobs } from "./jobs.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { meantElsewhere } from "./request/meant-elsewhere.ts";
import { refuseElsewhere } from "./request/refuse-elsewhere.ts";
import { decodeResponse, encodeResponse } from "./response/response.ts";
import { decodeUsage } from "./response/usage.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream, terminator } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";
import { upstream } from "./upstream.ts";

/** The Messages API of Anthropic, as Claude speaks it on every host. */
export const anthropicMessages: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  asides: "named",
  drops,
  decodeRequest,
  refuseElsewhere,
  meantElsewhere,
  encodeRequest,
  toolNames: plainNames(128),
  borrowed: [borrowedSignature],
  borrows: foundBegunElsewhere("thinking", "tool_use_id", "toolu_"),
  elsewhere: { beta: "use-responses-api-2026-07-30", format: "openai-responses" },
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
  requestIdHeader: "request-id",
  answerField: "content",
  endings: ["stop_reason"],
  marks: [["usage.input_tokens", "content"], ["message.usage.input_tokens"], ["usage.output_tokens", "delta"]],
  readUsage: (wire) => (isRecord(wire) ? decodeUsage(wire.usage) : undefined),
  jobs,
  usageMember: "usage",
  decodeStream,
  encodeStream,
  readStreamEnd,
  terminator,
  upstream,
};
