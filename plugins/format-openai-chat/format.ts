import { type Format, isRecord, plainNames, readErrorBody, wantsThoughts } from "../../core/index.ts";
import { formatName } from "./extra.ts";
import { jobs } from "./jobs.ts";
import { additions } from "./request/additions.ts";
import { saysOtherwise } from "./request/mistrals-words.ts";
import { decodeRequest, drops, encodeRequest } from "./request/request.ts";
import { decodeResponse } from "./response/decode-response.ts";
import { encodeResponse } from "./response/encode-response.ts";
import { usageMarks, usageOf } from "./response/usage.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream, terminator } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";
import { upstream } from "./upstream.ts";

/** The chat completions API of OpenAI, and of the many vendors that speak it. */
export const openAiChat: Format<"chat"> = {
  upstream,
  name: formatName,
  operation: "chat",
  framing: "sse",
  asides: "unnamed",
  terminator,
  drops,
  decodeRequest,
  // Strict clients are shown no thinking (inference-api.md section 6).
  meantElsewhere: (request, { strict }) => (strict ? request : wantsThoughts(request)),
  encodeRequest,
  toolNames: plainNames(64),
  borrowed: additions.map((name) => `"${name}"`),
  borrows: saysOtherwise,
  decodeResponse,
  encodeResponse,
  decodeError: readErrorBody,
  answerField: "choices",
  endings: ["choices[*].finish_reason"],
  marks: [
    ["usage.prompt_tokens", "choices"],
    ["x_groq.usage.prompt_tokens", "choices"],
    // What failed, in the midst of a stream, too.
    ["usage.prompt_tokens", "error"],
  ],
  readUsage: (wire) => (isRecord(wire) ? usageOf(wire) : undefined),
  jobs,
  usageMember: "usage",
  usageMark: usageMarks,
  decodeStream,
  encodeStream,
  readStreamEnd,
};
