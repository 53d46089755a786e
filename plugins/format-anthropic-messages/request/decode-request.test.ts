import { describe, expect, it } from "vitest";
import { type ChatRequest, GatewayError } from "../../../core/index.ts";
import { anthropicMessages } from "../index.ts";

const { decodeRequest, encodeRequest } = anthropicMessages;
const hello = { role: "user", content: "Hello" };
const wire = (fields: Record<string, unknown> = {}) => ({ model: "m", max_tokens: 9, messages: [hello], ...fields });
const turn = (...content: unknown[]) => wire({ messages: [hello, hello, { role: "user", content }] });

describe("anthropic-messages requests that are refused", () => {
  const png = { type: "base64", media_type: "image/png" };
  it.each<[unknown, string, string]>([
    [7, "The body is 7; expected an object.", ""],
    [{ messages: [hello] }, "max_tokens is missing; expected the most tokens to generate, an integer", "max_tokens"],
    [wire({ max_tokens: 1.5 }), "max_tokens is 1.5; expected the most tokens to generate", "max_tokens"],
    [{ max_tokens: 9 }, "messages is missing; expected a list of messages", "messages"],
    [wire({ messages: [] }), "messages is []; expected at least one message", "messages"],
    [
      wire({ messages: [{ role: "robot", content: "" }] }),
      'messages[0].role is "robot"; expected "user", "assistant" or "system"',
      "messages[0].role",
    ],
    [wire({ messages: [{ role: "user" }] }), "messages[0].content is missing; expected text or", "messages[0].content"],
    [wire({ temperature: "hot" }), 'temperature is "hot"; expected a number', "temperature"],
    [turn({ text: "?" }), "messages[2].content[0].type is missing; expected a string", "messages[2].content[0].type"],
    [turn("?"), 'messages[2].content[0] is "?"; expected a content block', "messages[2].content[0]"],
    [turn({ type: "text" }), "messages[2].content[0].text is missing", "messages[2].content[0].text"],
    [
      turn({ type: "image", source: png }),
      "messages[2].content[0].source.data is",
      "messages[2].content[0].source.data",
    ],
    [
      turn({ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: 1 }] }),
      "messages[2].content[0].content[0].text is 1; expected a string",
      "messages[2].content[0].content[0].text",
    ],
    [
      wire({ tools: [{ name: "f" }] }),
      "tools[0].input_schema is missing; expected a JSON Schema object",
      "tools[0].input_schema",
    ],
    [wire({ system: 3 }), "system is 3; expected text or a list of content blocks", "system"],
  ])("%j", (body, message, param) => {
    const error = caught(() => decodeRequest(body));
    expect(error.code).toBe("invalid_request");
    expect(error.message).toContain(message);
    expect(error.details.param ?? "").toBe(param);
  });
});

function caught(act: () => unknown): GatewayError {
  try {
    act();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error("nothing was refused");
}

describe("anthropic-messages requests", () => {
  it("read strings as one text, and a stream as a wish for usage", () => {
    const body = wire({ system: "Be kind.", messages: [hello, { role: "assistant", content: "Hi" }], stream: true });
    expect(decodeRequest(body)).toEqual({
      model: "m",
      messages: [
        { role: "system", content: [{ type: "text", text: "Be kind." }] },
        { role: "user", content: [{ type: "text", text: "Hello" }] },
        { role: "assistant", content: [{ type: "text", text: "Hi" }] },
      ],
      stream: true,
      includeUsage: true,
      maxTokens: 9,
    });
  });

  it.each<[string, Record<string, unknown>, Partial<ChatRequest>]>([
    ["any", { tool_choice: { type: "any" } }, { toolChoice: { type: "required" } }],
    [
      "a tool, alone",
      { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true } },
      { toolChoice: { type: "tool", name: "f" }, parallelToolCalls: false },
    ],
    ["user", { metadata: { user_id: "u", team: "t" } }, { user: "u" }],
    ["tier", { service_tier: "auto" }, { serviceTier: "auto" }],
    [
      "thinking",
      { thinking: { type: "enabled", budget_tokens: 2048 }, output_config: { effort: "low" } },
      { reasoning: { mode: "enabled", effort: "low", budgetTokens: 2048 } },
    ],
    ["null", { temperature: null, tools: null, system: null, thinking: null, metadata: { user_id: null } }, {}],
  ])("decode %s", (_, fields, canonical) => {
    const {
      model: _model,
      messages: _messages,
      stream: _stream,
      maxTokens: _max,
      extra: _extra,
      ...rest
    } = decodeRequest(wire(fields));
    expect(rest).toEqual(canonical);
  });

  it("keep what no canonical field stands for, at every level", () => {
    const body = wire({
      mcp_servers: [{ type: "url", url: "https://mcp.example.com" }],
      container: "c1",
      metadata: { user_id: "u", team: "t" },
      thinking: { type: "between_tools", depth: 2 },
      output_config: { task_budget: { tokens: 5 } },
      tools: [
        { name: "f", description: "F", input_schema: { type: "object" }, eager_input_streaming: true },
        { type: "mcp_toolset", mcp_server_name: "m" },
      ],
      tool_choice: { type: "auto", reason: "r" },
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "url", url: "https://x.example", hint: 1 }, alt: "a" }],
        },
        { role: "assistant", content: [{ type: "text", text: "t", mood: "m" }], turn_id: "t1" },
        { role: "system", content: [{ type: "text", text: "From now on in French." }] },
        {
          role: "user",
          content: [
            { type: "image", source: { type: "hologram" } },
            { type: "text", text: "Oui" },
          ],
        },
      ],
    });
    expect(encodeRequest(decodeRequest(body), (name) => expect.fail(name))).toEqual(body);
  });

  it("put tool results before what the user says in the same turn", () => {
    const result = { type: "tool_result", tool_use_id: "t1", content: "3" };
    const { messages } = decodeRequest(
      wire({ messages: [{ role: "user", content: [{ type: "text", text: "so?" }, result] }] }),
    );
    expect(messages).toEqual([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "t1", content: [{ type: "text", text: "3" }] }] },
      { role: "user", content: [{ type: "text", text: "so?" }] },
    ]);
  });
});
