import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { geminiCount } from "./count/format.ts";
import { geminiBatchEmbeddings, geminiEmbeddings } from "./embeddings/format.ts";
import { gemini, geminiList } from "./format.ts";
import { geminiImages } from "./images/format.ts";
import { calling } from "./url.ts";

export { gemini, geminiBatchEmbeddings, geminiCount, geminiEmbeddings, geminiImages, geminiList };

/**
 * A path names a model, which may hold slashes, and behind it what is asked of the model. Of a name with slashes some clients
 * leave `models/` out: it might be `tunedModels/NAME`. Google's SDK asks at `v1` from its third version on, and at `v1beta1` for
 * Vertex AI.
 */
const paths = ["/v1/*", "/v1alpha/*", "/v1beta/*", "/v1beta1/*"];

/** The actions, with the format each is served in. Streams are events where the client says so, else a list. */
const actions = [
  { type: "generateContent", operation: "chat", format: gemini, url: calling("generateContent") },
  {
    type: "generateContent",
    operation: "chat",
    format: gemini,
    url: calling("streamGenerateContent", "(?:[^#]*&)?alt=sse(?:&|#|$)"),
  },
  { type: "generateContent", operation: "chat", format: geminiList, url: calling("streamGenerateContent") },
  { type: "embedContent", operation: "embed", format: geminiEmbeddings, url: calling("embedContent") },
  { type: "embedContent", operation: "embed", format: geminiBatchEmbeddings, url: calling("batchEmbedContents") },
  { type: "countTokens", operation: "count", format: geminiCount, url: calling("countTokens") },
] as const;

export default definePlugin({
  name: "format-gemini",
  summary:
    "Speaks the Gemini API of Google, to clients below /v1/models/ and /v1beta/models/ and to providers: chat, embeddings, images and counts.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const one of [gemini, geminiList, geminiEmbeddings, geminiBatchEmbeddings, geminiImages, geminiCount])
      format(one);
    for (const path of paths)
      for (const { type, operation, format: one, url } of actions)
        endpoint({ type, method: "POST", path, url, operation, format: one.name });
  },
});
