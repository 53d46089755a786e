import { borrowedSignature, type Format, foundBegunElsewhere, isRecord, plainNames } from "../../core/index.ts";
import { decodeError, encodeError, errorHeaders } from "./errors.ts";
import { formatName } from "./fields.ts";
import { jobs } from "./jobs.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { drops, encodeRequest } from "./request/encode-request.ts";
import { meantElsewhere } from "./request/meant-elsewhere.ts";
import { decodeResponse, encodeResponse } from "./response/response.ts";
import { usageOf } from "./response/usage.ts";
import { withoutQuotes } from "./response/without-quotes.ts";
import { decodeStream } from "./stream/decode-stream.ts";
import { encodeStream } from "./stream/encode-stream.ts";
import { readStreamEnd } from "./stream/stream-end.ts";
import { callPath, readUrl } from "./url.ts";

/** Converse and ConverseStream of AWS Bedrock, the same for all models it serves. */
export const bedrockConverse: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "aws-event-stream",
  drops,
  readUrl,
  decodeRequest,
  meantElsewhere,
  encodeRequest,
  toolNames: plainNames(64),
  borrowed: [borrowedSignature],
  borrows: foundBegunElsewhere("additionalModelRequestFields", "toolUseId", "tooluse_"),
  decodeResponse,
  encodeResponse,
  endings: ["stopReason"],
  withoutQuotes,
  decodeError,
  encodeError,
  marks: [["usage.inputTokens"]],
  errorHeaders,
  requestIdHeader: "x-amzn-requestid",
  readUsage: (wire) => (isRecord(wire) ? usageOf(wire) : undefined),
  usageMember: "usage",
  jobs,
  decodeStream,
  encodeStream,
  readStreamEnd,
  upstream: { path: callPath },
};
