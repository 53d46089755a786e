import type { Format, PathContext } from "../../../core/index.ts";
import { decodeError, encodeError } from "../errors.ts";
import { pathTo, readUrl } from "../url.ts";
import { decodeRequest, drops, encodeRequest } from "./request.ts";
import { decodeResponse, encodeBatch, encodeOne, readUsage } from "./response.ts";

/** One thing is embedded at one path, a list at another: the body says which it is. */
const path = ({ model, fields }: PathContext): string =>
  pathTo(model, fields?.has("requests") ? "batchEmbedContents" : "embedContent");

/** `embedContent`: one content in, one vector out. To vendors it also says `batchEmbedContents` where there are more. */
export const geminiEmbeddings: Format<"embed"> = {
  name: "gemini-embeddings",
  operation: "embed",
  drops,
  readUrl,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse: encodeOne,
  decodeError,
  encodeError,
  readUsage,
  upstream: { path },
};

/** `batchEmbedContents`, whose answer is a list even where it holds one vector. */
export const geminiBatchEmbeddings: Format<"embed"> = {
  ...geminiEmbeddings,
  name: "gemini-batch-embeddings",
  encodeResponse: encodeBatch,
};
