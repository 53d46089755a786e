import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { nestedFormats } from "./nested.ts";
import { unified } from "./unified.ts";
import { vendorFormats } from "./vendors.ts";

export const rerankFormats = [unified, ...vendorFormats, ...nestedFormats];

export default definePlugin({
  name: "format-rerank",
  summary:
    "Ranks documents: one request for all vendors at /v1/rerank, those of Cohere and Bedrock where their clients ask, and the vendors'.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const one of rerankFormats) format(one);
    endpoint({ type: "rerank", method: "POST", path: "/v1/rerank", operation: "rerank", format: unified.name });
    endpoint({ type: "rerank", method: "POST", path: "/v2/rerank", operation: "rerank", format: "cohere-rerank" });
    endpoint({ type: "rerank", method: "POST", path: "/rerank", operation: "rerank", format: "bedrock-rerank" });
  },
});
