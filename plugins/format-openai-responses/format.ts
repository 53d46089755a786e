import { borrowedSignature, type Format, isRecord, plainNames } from "../../core/index.ts";
import { decodeError } from "./errors.ts";
import { formatName } from "./extra.ts";
import { asFunctions } from "./request/as-functions.ts";
import { isBeyondFunctions, marks } from "./request/beyond-functions.ts";
import { redactedPrefix } from "./request/decode-input.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { meantElsewhere } from "./request/meant-elsewhere.ts";
import { refuseElsewhere } from "./request/refuse-elsewhere.ts";
import { decodeResponse } from "./response/decode-response.ts";
import { encodeResponse, writeResponse } from "./response/encode-response.ts";
import { usageOf } from "./response/usage.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";

/** The Responses API of OpenAI, and of the vendors that speak it. Its streams have no terminator: their last event says all. */
export const openAiResponses: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  asides: "named",
  drops,
  decodeRequest,
  refuseElsewhere,
  meantElsewhere,
  asFunctions: { marks, isNeeded: isBeyondFunctions, apply: asFunctions },
  encodeRequest,
  toolNames: plainNames(64),
  borrowed: [borrowedSignature, `"${redactedPrefix}`],
  decodeResponse,
  encodeResponse,
  writeBytes: writeResponse,
  decodeError,
  answerField: "output",
  endings: ["status", "output[*].status"],
  marks: [["usage.input_tokens", "output"], ["response.usage.input_tokens"]],
  readUsage: (wire) => (isRecord(wire) ? usageOf(wire) : undefined),
  decodeStream,
  encodeStream,
  readStreamEnd,
  upstream: { path: "/responses" },
};
