import { describe, expect, it } from "vitest";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { assembled, chunksIn } from "../../plugins/format-bedrock-converse/testing.ts";
import { ask, send, simulator } from "./testing.ts";

const tool = (name: string) => ({
  toolSpec: { name, inputSchema: { json: { type: "object", required: ["a"], properties: { a: { type: "string" } } } } },
});
const said = (...content: object[]) => ({ role: "user", content });
const messages = [said({ text: "Hello from here." })];
const marker = (ttl?: string) => ({ cachePoint: { type: "default", ...(ttl !== undefined && { ttl }) } });
const found = (content: object) => [
  ...messages,
  { role: "assistant", content: [{ toolUse: { toolUseId: "a", name: "f", input: {} } }] },
  said({ toolResult: { toolUseId: "a", content: [content] } }),
];
const schema = JSON.stringify({ type: "object", required: ["b"], properties: { b: { type: "integer" } } });

const streamOf = async (model: string, body: object) => {
  const heard = await send(simulator(), `/model/${model}/converse-stream`, body).over;
  return { ...heard, chunks: chunksIn(Buffer.concat([...heard.pieces]).toString("latin1")) };
};

describe("the simulator, asked as Bedrock is asked", () => {
  it.each<[string, object, object]>([
    ["a question", { messages }, { text: "Simulated answer from m: Hello from here." }],
    [
      "a question to think about",
      { messages, additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2048 } } },
      { text: "Thinking about: Hello from here.", signature: expect.any(String) },
    ],
    [
      "parallel calls",
      { messages: [said({ text: "Call f twice." })], toolConfig: { tools: [tool("f")] } },
      { name: "f", arguments: '{"a":"sample"}' },
    ],
    [
      "a call that is forced",
      { messages, toolConfig: { tools: [tool("f"), tool("g")], toolChoice: { tool: { name: "g" } } } },
      { name: "g" },
    ],
    ["any call", { messages, toolConfig: { tools: [tool("f")], toolChoice: { any: {} } } }, { name: "f" }],
    ["a limit", { messages, inferenceConfig: { maxTokens: 2 } }, { text: "Simulated answer" }],
    ["a word to stop at", { messages, inferenceConfig: { stopSequences: ["from"] } }, { text: "Simulated answer " }],
    [
      "a schema",
      {
        messages,
        outputConfig: { textFormat: { type: "json_schema", structure: { jsonSchema: { name: "n", schema } } } },
      },
      { text: '{"b":1}' },
    ],
    ["an image", { messages: [said({ text: "Hi." }, { image: { format: "png" } })] }, { text: /I see 1 image\./ }],
    ["what a tool said", { messages: found({ text: "20 degrees" }) }, { text: "The tool said: 20 degrees" }],
    ["what a tool found", { messages: found({ json: { t: 20 } }) }, { text: 'The tool said: {"t":20}' }],
  ])("answers %s alike whole and streamed", async (_, body, first) => {
    const { choices, usage } = bedrockConverse.decodeResponse(await ask("/model/m/converse", body));
    expect(choices[0]?.content[0]).toMatchObject(
      "text" in first && first.text instanceof RegExp ? { text: expect.stringMatching(first.text) } : first,
    );
    const streamed = assembled((await streamOf("m", body)).chunks);
    const named = (made: unknown) => JSON.stringify(made).replace(/tooluse_\w+/g, "id");
    expect(named(streamed.choices)).toBe(named(choices));
    expect(streamed.usage).toEqual(usage);
  });

  it("reads what stands before a marker from the cache, and writes up to the last one", async () => {
    const system = [{ text: "one two three" }, marker(), { text: "four five" }, marker("1h")];
    const { usage } = bedrockConverse.decodeResponse(await ask("/model/m/converse", { system, messages }));
    expect(usage).toMatchObject({
      inputTokens: 3,
      cacheReadTokens: 3,
      cacheWriteTokens: 2,
      cacheWriteHourTokens: 2,
    });
  });

  it("counts the tokens of a prompt as its answers do", async () => {
    const body = { system: [{ text: "Be brief." }], messages, toolConfig: { tools: [tool("f")] } };
    const { usage } = bedrockConverse.decodeResponse(await ask("/model/m/converse", body));
    expect(await ask("/model/m/count-tokens", { input: { converse: body } })).toEqual({
      inputTokens: usage?.inputTokens,
    });
  });

  it("has the model in its path, and takes a stream for what it is", async () => {
    const name = encodeURIComponent("arn:aws:bedrock:eu-west-1:1:x/y");
    expect(JSON.stringify(await ask(`/model/${name}/converse`, { messages }))).toContain("from arn:aws:bedrock");
    expect(JSON.stringify(await ask("/model/50%/converse", { messages }))).toContain("from 50%:");
    const { headers } = await streamOf("m", { messages });
    expect(headers["content-type"]).toBe("application/vnd.amazon.eventstream");
  });

  it.each([
    [400, "ValidationException"],
    [403, "AccessDeniedException"],
    [429, "ThrottlingException"],
    [500, "InternalServerException"],
    [503, "ServiceUnavailableException"],
  ])("refuses with status %i in the vendor's words: %s", async (status, name) => {
    const heard = await send(simulator(), `/model/fault-status-${status}/converse`, { messages }).over;
    expect([heard.status, heard.headers["x-amzn-errortype"]]).toEqual([status, name]);
    expect(JSON.parse(heard.frames.join(""))).toEqual({ message: `Simulated failure with status ${status}.` });
  });

  it.each(["", "nothing"])("refuses a request without messages, and a schema that is none: %j", async (text) => {
    const outputConfig = { textFormat: { type: "json_schema", structure: { jsonSchema: { schema: text } } } };
    const body = text === "" ? {} : { messages, outputConfig };
    expect(await ask("/model/m/converse", body)).toEqual({ message: expect.stringMatching(/message|must be JSON/) });
  });

  it("fails inside a stream in the vendor's words", async () => {
    const { chunks } = await streamOf("fault-error-event-after-3", { messages });
    expect(chunks.at(-1)).toMatchObject({ type: "error", error: { type: "modelStreamErrorException" } });
    await expect(streamOf("fault-malformed-frame", { messages })).rejects.toThrow();
    await expect(streamOf("fault-end-after-3", { messages })).rejects.toThrow("before the answer was finished");
    const { chunks: whole } = await streamOf("fault-no-done", { messages });
    expect(whole.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });
});
