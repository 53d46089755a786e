import { describe, expect, it } from "vitest";
import type { ChatResponse } from "../../core/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { assembled, chunksIn } from "../../plugins/format-gemini/testing.ts";
import { send, simulator } from "./testing.ts";

const transport = simulator();
const at = (model: string, stream: boolean) =>
  `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
const says = (text: string, more: object = {}) => ({ contents: [{ role: "user", parts: [{ text }] }], ...more });

async function whole(body: unknown, model = "m") {
  const heard = await send(transport, at(model, false), body).over;
  return { status: heard.status, wire: JSON.parse(heard.frames.join("")) };
}
async function streamed(body: unknown, model = "m") {
  const heard = await send(transport, at(model, true), body).over;
  return heard.frames.join("");
}

/** Ids are made from the request, whose path is another one for a stream. */
const withoutId = (answer: ChatResponse): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(answer.id ?? "", "ID"));

const tools = [{ functionDeclarations: [{ name: "clock", parametersJsonSchema: { type: "object", properties: {} } }] }];

describe("the simulator as a vendor of gemini", () => {
  it.each<[string, object]>([
    ["a text", says("Hello there")],
    ["thinking", says("Hello", { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } })],
    ["calls", says("Ask the clock twice", { tools })],
    ["several answers", says("Hello", { generationConfig: { candidateCount: 2 } })],
    ["JSON", says("Hello", { generationConfig: { responseMimeType: "application/json" } })],
    ["the end of its tokens", says("Hello", { generationConfig: { maxOutputTokens: 2 } })],
  ])("says as a stream what it says whole: %s", async (_, body) => {
    const answer = gemini.decodeResponse((await whole(body)).wire);
    expect(withoutId(assembled(chunksIn(await streamed(body))))).toEqual(withoutId(answer));
    expect(answer.choices[0]?.content).not.toEqual([]);
    expect(answer.usage?.inputTokens).toBeGreaterThan(0);
  });

  it("takes what tools say", async () => {
    const { wire } = await whole({
      contents: [
        { role: "user", parts: [{ text: "Ask the clock" }] },
        { role: "model", parts: [{ functionCall: { name: "clock", args: {} } }] },
        { role: "function", parts: [{ functionResponse: { name: "clock", response: { output: "noon" } } }] },
      ],
      tools,
    });
    expect(wire.candidates[0].content.parts).toEqual([{ text: "The tool said: noon" }]);
  });

  it("takes the names of protocol buffers for those of JSON", async () => {
    const asked = { text: "Ask the clock what it sees" };
    const answered = async (body: unknown) => {
      const { candidates, usageMetadata } = (await whole(body)).wire;
      return { candidates, usageMetadata };
    };
    const camel = await answered({
      contents: [{ role: "user", parts: [{ inlineData: { data: "AAAA" } }, asked] }],
      tools,
      generationConfig: { candidateCount: 2 },
      systemInstruction: { parts: [{ text: "Be brief." }] },
    });
    const snake = await answered({
      contents: [{ role: "user", parts: [{ inline_data: { data: "AAAA" } }, asked] }],
      tools: [{ function_declarations: tools[0]?.functionDeclarations }],
      generation_config: { candidate_count: 2 },
      system_instruction: { parts: [{ text: "Be brief." }] },
    });
    expect(snake).toEqual(camel);
    expect(camel.candidates).toHaveLength(2);
    const shown = await answered({ contents: [{ parts: [{ inline_data: { data: "AAAA" } }, { text: "Look" }] }] });
    expect(JSON.stringify(shown)).toContain("I see 1 image.");
  });

  it("fails in the vendor's words", async () => {
    expect(await whole(says("Hello"), "fault-status-429")).toEqual({
      status: 429,
      wire: { error: { code: 429, message: "Simulated failure with status 429.", status: "RESOURCE_EXHAUSTED" } },
    });
    expect((await whole({})).wire).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
    expect(chunksIn(await streamed(says("Hello"), "fault-error-event-after-2")).at(-1)).toMatchObject({
      type: "error",
      error: { type: "INTERNAL" },
    });
    expect(() => chunksIn(streamedEnd)).toThrow(expect.objectContaining({ code: "upstream_truncated" }));
  });
});

const streamedEnd = await streamed(says("Hello"), "fault-end-after-2");
