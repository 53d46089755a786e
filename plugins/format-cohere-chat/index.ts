import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { cohereEmbeddings } from "./embeddings/format.ts";
import { cohereChat } from "./format.ts";

export { cohereChat, cohereEmbeddings };

export default definePlugin({
  name: "format-cohere-chat",
  summary: "Speaks the API of Cohere, to clients at /v2/chat and /v2/embed and to providers: chat and embeddings.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    format(cohereChat);
    format(cohereEmbeddings);
    endpoint({
      type: "chatComplete",
      method: "POST",
      path: "/v2/chat",
      operation: "chat",
      format: cohereChat.name,
      description: { tag: "chat", summary: "Goes on with a conversation, in Cohere's format." },
    });
    endpoint({
      type: "embed",
      method: "POST",
      path: "/v2/embed",
      operation: "embed",
      format: cohereEmbeddings.name,
      description: { tag: "embeddings", summary: "Makes vectors of texts, in Cohere's format." },
    });
  },
});
