import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { novaEmbeddings } from "./embeddings/nova.ts";
import { titanEmbeddings } from "./embeddings/titan.ts";
import { bedrockConverse } from "./format.ts";

export { bedrockConverse };

export default definePlugin({
  name: "format-bedrock-converse",
  summary:
    "Speaks Converse of AWS Bedrock, to clients at /model/MODEL/converse and to providers; embeddings of Titan and Nova.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const one of [bedrockConverse, titanEmbeddings, novaEmbeddings]) format(one);
    for (const [type, action] of [
      ["converse", "converse"],
      ["converseStream", "converse-stream"],
    ] as const)
      endpoint({
        type,
        method: "POST",
        path: `/model/:model/${action}`,
        operation: "chat",
        format: bedrockConverse.name,
      });
  },
});
