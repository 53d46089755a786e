import { expect, it } from "vitest";
import type { Endpoint, Format, PluginContext } from "../../core/index.ts";
import { batchEndpoints } from "./batches.ts";
import plugin, { anthropicCount, anthropicMessages } from "./index.ts";

it("brings the format and the endpoint that speaks it", () => {
  const formats: Format[] = [];
  const endpoints: Endpoint[] = [];
  const context: Pick<PluginContext, "format" | "endpoint"> = {
    format: (format) => formats.push(format),
    endpoint: (endpoint) => endpoints.push(endpoint),
  };
  plugin.setup(context as PluginContext, {});
  expect(formats).toEqual([anthropicMessages, anthropicCount]);
  expect(endpoints).toEqual([
    { type: "messages", method: "POST", path: "/v1/messages", operation: "chat", format: "anthropic-messages" },
    {
      type: "messagesCountTokens",
      method: "POST",
      path: "/v1/messages/count_tokens",
      operation: "count",
      format: "anthropic-count-tokens",
    },
    ...batchEndpoints,
  ]);
});
