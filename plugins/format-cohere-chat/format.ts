import { type Format, isRecord } from "../../core/index.ts";
import { decodeError, encodeError } from "./errors.ts";
import { formatName } from "./fields.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { decodeResponse } from "./response/decode-response.ts";
import { encodeResponse } from "./response/encode-response.ts";
import { decodeUsage } from "./response/usage.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";

/** The second version of the chat API of Cohere. */
export const cohereChat: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  drops,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  endings: ["finish_reason"],
  decodeError,
  encodeError,
  marks: [["usage.tokens"], ["usage.billed_units"], ["delta.usage"]],
  readUsage: (wire) => (isRecord(wire) ? decodeUsage(wire.usage) : undefined),
  usageMember: "usage",
  decodeStream,
  encodeStream,
  readStreamEnd,
  upstream: {
    path: "/v2/chat",
    clamps: { p: [0.01, 0.99], k: [0, 500], frequency_penalty: [0, 1], presence_penalty: [0, 1] },
  },
};
