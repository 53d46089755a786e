import { borrowedSignature, type Format, isRecord } from "../../core/index.ts";
import { decodeError, encodeError } from "./errors.ts";
import { formatName } from "./fields.ts";
import { jobs } from "./jobs.ts";
import { borrowedProof } from "./proof.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { refuseElsewhere } from "./request/refuse-elsewhere.ts";
import { decodeResponse } from "./response/decode-response.ts";
import { encodeResponse } from "./response/encode-response.ts";
import { usageOf } from "./response/usage.ts";
import { withoutQuotes } from "./response/without-quotes.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeListStream, encodeStream } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";
import { events } from "./stream/wrapping.ts";
import { toolNames } from "./tool-names.ts";
import { callPath, readUrl } from "./url.ts";

/** What both kinds of streams have in common. */
const shared: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  drops,
  readUrl,
  decodeRequest,
  refuseElsewhere,
  encodeRequest,
  toolNames,
  borrowed: [borrowedSignature, borrowedProof],
  decodeResponse,
  encodeResponse,
  endings: ["candidates[*].finishReason"],
  withoutQuotes,
  decodeError,
  encodeError,
  marks: [["usageMetadata"]],
  readUsage: (wire) => (isRecord(wire) ? usageOf(wire) : undefined),
  decodeStream,
  encodeStream,
  readStreamEnd,
  upstream: { path: callPath },
};

/**
 * The SDK before `@google/genai`, and Genkit, take comments for a broken stream; the chats of `@google/genai` keep nothing of an answer one
 * frame of which has no part. All of them pass over an empty text.
 */
const silence = 'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\n\n';

/** The generateContent API of Google, as Gemini speaks it. */
export const gemini: Format<"chat"> = { ...shared, jobs, silence, broken: events.broken };

/** The same for clients whose streams are JSON lists. No vendor is called in it: events are the better stream. */
export const geminiList: Format<"chat"> = {
  ...shared,
  name: `${formatName}-list`,
  framing: "json-list",
  encodeStream: encodeListStream,
};
