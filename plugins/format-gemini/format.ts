import { borrowedSignature, type Format, isRecord } from "../../core/index.ts";
import { decodeError, encodeError } from "./errors.ts";
import { formatName } from "./fields.ts";
import { borrowedProof } from "./proof.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { decodeResponse } from "./response/decode-response.ts";
import { encodeResponse } from "./response/encode-response.ts";
import { usageOf } from "./response/usage.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeListStream, encodeStream } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";
import { toolNames } from "./tool-names.ts";
import { callPath, readUrl } from "./url.ts";

/** The generateContent API of Google, as Gemini speaks it. */
export const gemini: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  drops,
  readUrl,
  decodeRequest,
  encodeRequest,
  toolNames,
  borrowed: [borrowedSignature, borrowedProof],
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
  marks: [["usageMetadata"]],
  readUsage: (wire) => (isRecord(wire) ? usageOf(wire) : undefined),
  decodeStream,
  encodeStream,
  readStreamEnd,
  upstream: { path: callPath },
};

/** The same for clients whose streams are JSON lists. No vendor is called in it: events are the better stream. */
export const geminiList: Format<"chat"> = {
  ...gemini,
  name: `${formatName}-list`,
  framing: "json-list",
  encodeStream: encodeListStream,
};
