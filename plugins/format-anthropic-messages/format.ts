import type { Format } from "../../core/index.ts";
import { decodeError, encodeError } from "./errors.ts";
import { formatName, isRecord } from "./fields.ts";
import { decodeRequest } from "./request-decode.ts";
import { drops, encodeRequest } from "./request-encode.ts";
import { decodeResponse, encodeResponse } from "./response.ts";
import { decodeStream } from "./stream-decode.ts";
import { encodeStream, terminator } from "./stream-encode.ts";
import { readStreamEnd } from "./stream-end.ts";
import { decodeUsage } from "./usage.ts";

/** The Messages API of Anthropic, as Claude speaks it on every host. */
export const anthropicMessages: Format<"chat"> = {
  name: formatName,
  operation: "chat",
  framing: "sse",
  drops,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
  readUsage: (wire) => (isRecord(wire) ? decodeUsage(wire.usage) : undefined),
  decodeStream,
  encodeStream,
  readStreamEnd,
  terminator,
};
