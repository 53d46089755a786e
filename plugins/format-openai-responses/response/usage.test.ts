import { expect, it } from "vitest";
import { openAiResponses } from "../index.ts";

it("counts what Perplexity says of caches in the names of the Messages API, and what it charged", () => {
  const details = { cache_read_input_tokens: 60, cache_creation_input_tokens: 30 };
  const cost = {
    currency: "USD",
    input_cost: 0.0001,
    output_cost: 0.0002,
    tool_calls_cost: 0.005,
    total_cost: 0.0053,
  };
  const usage = { input_tokens: 100, input_tokens_details: details, output_tokens: 9, total_tokens: 109, cost };
  expect(openAiResponses.readUsage?.({ output: [], usage })).toEqual({
    inputTokens: 10,
    cacheReadTokens: 60,
    cacheWriteTokens: 30,
    outputTokens: 9,
    charged: ["0.0053"],
  });
});
