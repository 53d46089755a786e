import { describe, expect, it } from "vitest";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { assembled, chunksIn } from "../../plugins/format-cohere-chat/testing.ts";
import { ask, send, simulator } from "./testing.ts";

const tool = (name: string) => ({
  type: "function",
  function: { name, description: "d", parameters: { type: "object", properties: { a: { type: "string" } } } },
});
const messages = [{ role: "user", content: "Hello." }];

describe("the simulator, asked as Cohere is asked", () => {
  it.each([
    ["a question", { messages }],
    ["a question to think about", { messages, thinking: { type: "enabled" } }],
    ["parallel calls", { messages: [{ role: "user", content: "Call f twice." }], tools: [tool("f")] }],
    ["a limit", { messages, max_tokens: 2 }],
    ["a word to stop at", { messages, stop_sequences: ["from"] }],
    ["a schema", { messages, response_format: { type: "json_object" } }],
    [
      "what tools found",
      {
        messages: [
          ...messages,
          { role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }] },
          { role: "tool", tool_call_id: "a", content: [{ type: "document", document: { data: "20 degrees" } }] },
        ],
      },
    ],
  ])("answers %s alike whole and streamed", async (_, more) => {
    const body = { model: "m", ...more };
    const { choices, usage } = cohereChat.decodeResponse(await ask("/v2/chat", body));
    const { frames } = await send(simulator(), "/v2/chat", { ...body, stream: true }).over;
    const streamed = assembled(chunksIn(frames.join("")));
    expect(JSON.stringify(streamed.choices).replace(/"id":"[^"]*"/g, "")).toBe(
      JSON.stringify(choices).replace(/"id":"[^"]*"/g, ""),
    );
    expect(streamed.usage).toEqual(usage);
  });

  it("refuses and fails in the vendor's words", async () => {
    expect(await ask("/v2/chat", { model: "m" })).toEqual({ message: expect.stringContaining("messages") });
    expect(await ask("/v2/rerank", { model: "m", query: "q" })).toEqual({
      message: expect.stringContaining("documents"),
    });
    const failing = { model: "fault-error-event-after-3", messages, stream: true };
    const { frames } = await send(simulator(), "/v2/chat", failing).over;
    expect(chunksIn(frames.join("")).at(-1)).toMatchObject({ type: "error" });
  });

  it("ranks documents by the words they share with the query", async () => {
    const documents = ["blue sea", "the sky is blue", "nothing"];
    const { results, meta } = await ask("/v2/rerank", { model: "m", query: "blue sky", documents });
    expect(results).toEqual([
      { index: 1, relevance_score: 1 },
      { index: 0, relevance_score: 0.5 },
      { index: 2, relevance_score: 0 },
    ]);
    expect(meta).toEqual({ billed_units: { search_units: 1 } });
  });
});
