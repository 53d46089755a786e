import { z } from "zod";
import { definePlugin } from "../../core/index.ts";
import { bedrockCount } from "./count/format.ts";
import { novaEmbeddings } from "./embeddings/nova.ts";
import { titanEmbeddings } from "./embeddings/titan.ts";
import { bedrockConverse } from "./format.ts";
import { chatFormats, completionFormats } from "./invoke/format.ts";

export { bedrockConverse, bedrockCount };

const tag = "bedrock";

export default definePlugin({
  name: "format-bedrock-converse",
  summary:
    "Speaks Converse of AWS Bedrock, to clients at /model/MODEL/converse and to providers; embeddings of Titan and Nova, " +
    "and older models of several makers by invocations.",
  options: z.strictObject({}),
  setup({ format, endpoint }) {
    for (const one of [bedrockConverse, bedrockCount, titanEmbeddings, novaEmbeddings]) format(one);
    for (const one of completionFormats) format(one);
    for (const one of chatFormats) format(one);
    for (const [type, action, summary] of [
      ["converse", "converse", "Goes on with a conversation, in Bedrock's format."],
      ["converseStream", "converse-stream", "Goes on with a conversation, in events of Bedrock's format."],
    ] as const)
      endpoint({
        type,
        method: "POST",
        path: `/model/:model/${action}`,
        operation: "chat",
        format: bedrockConverse.name,
        description: { tag, summary },
      });
    endpoint({
      type: "countTokens",
      method: "POST",
      path: "/model/:model/count-tokens",
      operation: "count",
      format: bedrockCount.name,
      description: { tag, summary: "Counts tokens, in Bedrock's format." },
    });
  },
});
