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
    for (const [path, format, whose] of [
      ["/v2/rerank", "cohere-rerank", "Cohere's"],
      ["/rerank", "bedrock-rerank", "Bedrock's"],
    ] as const) {
      const summary = `Orders documents by how well they answer a query, in ${whose} format.`;
      endpoint({
        type: "rerank",
        method: "POST",
        path,
        operation: "rerank",
        format,
        description: { tag: "rerank", summary },
      });
    }
  },
});
