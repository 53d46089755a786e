import { z } from "zod";
import { definePlugin, JobBills, KnownJobs, Records } from "../../core/index.ts";
import { batchEndpoints } from "./batches.ts";
import { messagesAtBedrock } from "./clouds/bedrock.ts";
import { cloudEndpoints } from "./clouds/endpoints.ts";
import { countAtVertex, messagesAtVertex } from "./clouds/vertex.ts";
import { anthropicCount } from "./count/format.ts";
import { anthropicMessages } from "./format.ts";

export { anthropicCount, anthropicMessages, countAtVertex, messagesAtBedrock, messagesAtVertex };

export default definePlugin({
  name: "format-anthropic-messages",
  summary:
    "Speaks the Anthropic Messages API, to clients at /v1/messages and where Bedrock and Vertex AI have it, and to providers, and counts tokens.",
  options: z.strictObject({}),
  uses: [Records],
  setup({ format, formats, endpoint, server, offered, log }) {
    for (const one of [anthropicMessages, messagesAtBedrock, messagesAtVertex]) format(one);
    for (const one of [anthropicCount, countAtVertex]) format(one);
    endpoint({
      type: "messages",
      method: "POST",
      path: "/v1/messages",
      operation: "chat",
      format: anthropicMessages.name,
    });
    endpoint({
      type: "messagesCountTokens",
      method: "POST",
      path: "/v1/messages/count_tokens",
      operation: "count",
      format: anthropicCount.name,
    });
    for (const one of cloudEndpoints) endpoint(one);
    const jobs = new KnownJobs(offered(Records), log, Date.now, formats);
    const { makes } = new JobBills({ jobs, formats, prices: undefined });
    for (const one of batchEndpoints(server.secure === true, makes)) endpoint(one);
  },
});
