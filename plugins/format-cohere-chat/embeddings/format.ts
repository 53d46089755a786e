import type { Format } from "../../../core/index.ts";
import { decodeError, encodeError } from "../errors.ts";
import { decodeRequest, drops, encodeRequest } from "./request.ts";
import { decodeResponse, encodeResponse, readUsage } from "./response.ts";

/** The second version of the embed API of Cohere: texts, images, and both together. */
export const cohereEmbeddings: Format<"embed"> = {
  name: "cohere-embeddings",
  operation: "embed",
  drops,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeError,
  encodeError,
  marks: [["meta.billed_units.input_tokens", "embeddings"]],
  readUsage,
  upstream: { path: "/v2/embed" },
};
