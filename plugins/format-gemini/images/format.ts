import type { Format } from "../../../core/index.ts";
import { decodeError } from "../errors.ts";
import { callPath, readUrl } from "../url.ts";
import { drops, encodeRequest } from "./request.ts";
import { decodeRequest, decodeResponse, encodeResponse, readUsage } from "./response.ts";

/** `generateContent` of models that draw, for clients that ask for images and for nothing else. */
export const geminiImages: Format<"image"> = {
  name: "gemini-images",
  operation: "image",
  drops,
  readUrl,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  readUsage,
  upstream: { path: callPath },
};
