import { describe, expect, it } from "vitest";
import type { ChatRequest, ContentPart, Message } from "../../core/index.ts";
import { openAiChat } from "../format-openai-chat/index.ts";
import { bedrockConverse } from "./index.ts";
import { familyOf } from "./model-family.ts";

const { decodeRequest, encodeRequest } = bedrockConverse;
const budget = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const adaptive = "global.anthropic.claude-opus-4-6-v1";

const ask = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "some.model",
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
  stream: false,
  ...more,
});
function encoded(request: ChatRequest) {
  const dropped: string[] = [];
  return { wire: encodeRequest(request, (name) => dropped.push(name)), dropped };
}
const fieldsOf = (request: ChatRequest) => {
  const { wire, dropped } = encoded(request);
  return { fields: wire.additionalModelRequestFields, dropped };
};
const said = (...content: ContentPart[]) => ask({ messages: [{ role: "user", content }] });
const contentOf = (...messages: Message[]) =>
  (encoded(ask({ messages })).wire.messages as { role: string; content: unknown[] }[]).map(({ role, content }) => ({
    role,
    content,
  }));

describe("bedrock-converse turns", () => {
  it("go round with a tool as the API wants it", () => {
    const chat = openAiChat.decodeRequest({
      model: "m",
      messages: [
        { role: "user", content: "weather?" },
        {
          role: "assistant",
          content: " \n",
          tool_calls: [{ id: "t1", type: "function", function: { name: "w", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "t1", content: "4C" },
        { role: "user", content: "thanks" },
      ],
    });
    expect(encoded(chat).wire.messages).toEqual([
      { role: "user", content: [{ text: "weather?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "t1", name: "w", input: {} } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "t1", content: [{ text: "4C" }] } }, { text: "thanks" }] },
    ]);
  });

  it("may have results with nothing in them", () => {
    const empty: Message = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "t", content: [{ type: "text", text: "" }] }],
    };
    expect(contentOf(empty)).toEqual([{ role: "user", content: [{ toolResult: { toolUseId: "t", content: [] } }] }]);
  });

  it("name every document, as the API wants names, and say a word beside it", () => {
    const document = (name?: string): ContentPart => ({
      type: "document",
      source: { kind: "data", data: "AA==", mediaType: "application/pdf" },
      ...(name !== undefined && { name }),
    });
    const [turn] = contentOf({
      role: "user",
      content: [document("a/b_c  (1).pdf"), document(), document(), document("a/b_c (1)")],
    });
    expect(turn?.content.map((block) => (block as { document?: { name: string } }).document?.name)).toEqual([
      "a-b-c (1)",
      "document-2",
      "document-3",
      "a-b-c (1)-4",
      undefined,
    ]);
    expect(turn?.content.at(-1)).toEqual({ text: expect.any(String) });
  });

  it.each<[ContentPart, string]>([
    [{ type: "image", source: { kind: "url", url: "https://x.example/a.png" } }, "https://x.example/a.png"],
    [{ type: "document", source: { kind: "file", fileId: "file_1" } }, "file_1"],
  ])("are refused with a hint where the vendor would have to fetch: %j", (part, named) => {
    expect(() => encoded(said(part))).toThrowError(
      expect.objectContaining({ code: "invalid_request", message: expect.stringContaining(named) }),
    );
  });

  it.each(["text/xml", "text/plain; charset=utf-8", "application/json"])("are text where they are %s", (mediaType) => {
    const source = { kind: "data", data: "AAAA", mediaType } as const;
    const [message] = contentOf({ role: "user", content: [{ type: "document", source }] });
    expect(message?.content[0]).toMatchObject({ document: { format: "txt", source: { bytes: "AAAA" } } });
  });

  it("point to S3 for images, documents and videos, with the owner of the bucket", () => {
    const chat = openAiChat.decodeRequest({
      model: "m",
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "s3://b/a.png", mime_type: "image/png", bucketOwner: "1234" } },
            { type: "image_url", image_url: { url: "s3://b/c.mp4", mime_type: "video/mp4" } },
            { type: "file", file: { file_url: "s3://b/d.mov" } },
            { type: "file", file: { file_url: "s3://b/d" } },
            { type: "image_url", image_url: { url: "data:video/webm;base64,AAAA" } },
            { type: "image_url", image_url: { url: "data:video/3gpp;base64,AAAA" } },
            { type: "file", file: { file_url: "s3://b/e.3gp" } },
          ],
        },
      ],
    });
    const { wire, dropped } = encoded(chat);
    expect(dropped).toEqual([]);
    expect((wire.messages as { content: unknown[] }[])[0]?.content.slice(0, 7)).toEqual([
      { image: { format: "png", source: { s3Location: { uri: "s3://b/a.png", bucketOwner: "1234" } } } },
      { video: { format: "mp4", source: { s3Location: { uri: "s3://b/c.mp4" } } } },
      { video: { format: "mov", source: { s3Location: { uri: "s3://b/d.mov" } } } },
      { document: { format: "pdf", name: expect.any(String), source: { s3Location: { uri: "s3://b/d" } } } },
      { video: { format: "webm", source: { bytes: "AAAA" } } },
      { video: { format: "three_gp", source: { bytes: "AAAA" } } },
      { video: { format: "three_gp", source: { s3Location: { uri: "s3://b/e.3gp" } } } },
    ]);
  });

  it("say arguments that are no JSON as what they are", () => {
    const call: Message = { role: "assistant", content: [{ type: "tool-call", id: "t", name: "f", arguments: "{" }] };
    const toolUse = { toolUseId: "t", name: "f", input: { INVALID_JSON: "{" } };
    expect(contentOf(call)).toContainEqual({ role: "assistant", content: [{ toolUse }] });
  });

  it("refuse JSON that is no request", () => {
    for (const body of [
      7,
      { messages: 1 },
      { messages: [{ role: "developer", content: [] }] },
      { messages: [{ role: "user", content: "text" }] },
    ])
      expect(() => decodeRequest(body)).toThrowError(expect.objectContaining({ code: "invalid_request" }));
  });
});

describe("bedrock-converse tools", () => {
  const tool = { type: "function" as const, name: "f", parameters: { type: "object" } };

  it("have cache points behind them, but not for Amazon's models", () => {
    const tools = [{ ...tool, cache: { ttl: "1h" } }];
    expect(encoded(ask({ tools, model: budget })).wire.toolConfig).toMatchObject({
      tools: [{}, { cachePoint: { type: "default", ttl: "1h" } }],
    });
    const amazon = encoded(ask({ tools, model: "us.amazon.nova-pro-v1:0" }));
    expect([(amazon.wire.toolConfig as { tools: unknown[] }).tools.length, amazon.dropped]).toEqual([
      1,
      ["tools.cache_control"],
    ]);
  });

  it.each([
    [budget, 3, []],
    ["arn:aws:bedrock:us-east-1:1:application-inference-profile/ab12", 3, []],
    ["us.amazon.nova-pro-v1:0", 2, ["tools.cache_control"]],
    ["amazon.titan-text-premier-v1:0", 0, ["messages.cache_control", "tools.cache_control"]],
    ["meta.llama3-3-70b-instruct-v1:0", 0, ["messages.cache_control", "tools.cache_control"]],
  ])("and messages have cache points where %s takes them", (model, points, dropped) => {
    const cache = {};
    const messages: Message[] = [
      { role: "system", content: [{ type: "text", text: "Be brief.", cache }] },
      { role: "user", content: [{ type: "text", text: "Hi", cache }] },
    ];
    const asked = encoded(ask({ model, messages, tools: [{ ...tool, cache }] }));
    expect([JSON.stringify(asked.wire).split("cachePoint").length - 1, asked.dropped]).toEqual([points, dropped]);
    const own = encoded(ask({ model, messages, extra: { format: "bedrock-converse", fields: {} } }));
    expect([JSON.stringify(own.wire).split("cachePoint").length - 1, own.dropped]).toEqual([2, []]);
  });

  it("are left out when none may be used, unless the history speaks of them", () => {
    const none = { tools: [tool], toolChoice: { type: "none" as const } };
    expect(encoded(ask(none)).wire.toolConfig).toBeUndefined();
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: [{ type: "tool-call", id: "t", name: "f", arguments: "{}" }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "t", content: [] }] },
    ];
    const { wire, dropped } = encoded(ask({ ...none, messages }));
    expect([wire.toolConfig, dropped]).toEqual([{ tools: [expect.any(Object)] }, ["tool_choice"]]);
  });

  it("of Anthropic's own reach a Claude in its fields", () => {
    const chat = openAiChat.decodeRequest({
      model: budget,
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ type: "web_search", web_search: { name: "web_search_20250305", max_uses: 2 } }],
    });
    expect(fieldsOf(chat)).toEqual({
      fields: { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 2 }] },
      dropped: [],
    });
    expect(fieldsOf({ ...chat, model: "meta.llama3" }).dropped).toEqual(["tools.web_search"]);
  });
});

describe("bedrock-converse settings", () => {
  it.each<[string, Partial<ChatRequest>, unknown, string[]]>([
    [
      "cohere.command-r-v1:0",
      { n: 2, frequencyPenalty: 0.5, logitBias: { "1": 2 } },
      { n: 2, frequency_penalty: 0.5, logitBias: { "1": 2 } },
      [],
    ],
    ["ai21.jamba-1-5-large-v1:0", { presencePenalty: 0.5, topK: 4 }, { top_k: 4, presencePenalty: { scale: 0.5 } }, []],
    ["amazon.nova-pro-v1:0", { topK: 4 }, { inferenceConfig: { topK: 4 } }, []],
    [budget, { user: "u", topK: 4, seed: 1 }, { top_k: 4, metadata: { user_id: "u" } }, ["seed"]],
    ["openai.gpt-oss-120b-1:0", { reasoning: { effort: "low" } }, { reasoning_effort: "low" }, []],
    ["meta.llama3", { reasoning: { mode: "enabled", budgetTokens: 9 } }, undefined, ["thinking"]],
    [
      adaptive,
      { reasoning: { effort: "minimal" } },
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      [],
    ],
    [
      "anthropic.claude-sonnet-4-6",
      { reasoning: { effort: "xhigh" } },
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      [],
    ],
    [
      "anthropic.claude-opus-4-6-v1",
      { reasoning: { effort: "xhigh", mode: "adaptive" } },
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      [],
    ],
    [
      budget,
      { reasoning: { effort: "high" }, maxTokens: 10_000 },
      { thinking: { type: "enabled", budget_tokens: 8000 } },
      [],
    ],
    [
      budget,
      { reasoning: { effort: "low" }, maxTokens: 2000 },
      { thinking: { type: "enabled", budget_tokens: 1024 } },
      [],
    ],
    [budget, { reasoning: { effort: "low" }, maxTokens: 1000 }, undefined, ["reasoning_effort"]],
    [budget, { reasoning: { effort: "none" } }, { thinking: { type: "disabled" } }, []],
    [
      budget,
      { reasoning: { mode: "enabled", budgetTokens: 3000, effort: "low" } },
      { thinking: { type: "enabled", budget_tokens: 3000 } },
      ["reasoning_effort"],
    ],
    [adaptive, { responseFormat: { type: "json" } }, undefined, ["response_format"]],
    ["qwen.qwen3-32b-v1:0", { responseFormat: { type: "json" } }, { response_format: { type: "json_object" } }, []],
  ])("of %s have the fields its maker knows: %j", (model, more, fields, dropped) => {
    expect(fieldsOf(ask({ model, ...more }))).toEqual({ fields, dropped });
  });

  it("that chat clients have for this API reach it, in both spellings", () => {
    const guardrail = { guardrailIdentifier: "g", guardrailVersion: "1" };
    const chat = openAiChat.decodeRequest({
      model: budget,
      messages: [{ role: "user", content: "Hi" }],
      max_tokens: 7,
      max_completion_tokens: 9,
      guardrail_config: guardrail,
      performance_config: { latency: "optimized" },
      additionalModelResponseFieldPaths: ["/stop_sequence"],
      additional_model_request_fields: { odd: true },
      anthropic_beta: "a, b",
      metadata: { team: "blue" },
      service_tier: "flex",
    });
    const { wire, dropped } = encoded(chat);
    expect(dropped).toEqual([]);
    expect(wire).toMatchObject({
      inferenceConfig: { maxTokens: 7 },
      guardrailConfig: guardrail,
      performanceConfig: { latency: "optimized" },
      additionalModelResponseFieldPaths: ["/stop_sequence"],
      additionalModelRequestFields: { odd: true, anthropic_beta: ["a", "b"] },
      requestMetadata: { team: "blue" },
      serviceTier: { type: "flex" },
    });
  });

  const penalties = { frequencyPenalty: { scale: 0.4 }, presencePenalty: null, countPenalty: { scale: 1 } };
  it.each([
    [
      "ai21.jamba-1-5-large-v1:0",
      { ...penalties, presence_penalty: 0.3 },
      { frequencyPenalty: { scale: 0.4 }, presencePenalty: { scale: 0.3 }, countPenalty: { scale: 1 } },
      [],
    ],
    ["ai21.jamba-1-5-large-v1:0", { anthropic_version: "v" }, undefined, ["anthropic_version"]],
    ["meta.llama3", penalties, undefined, ["frequency_penalty", "count_penalty"]],
  ])("by the names of the maker of %s reach it as they are: %j", (model, said, fields, dropped) => {
    const messages = [{ role: "user", content: "Hi" }];
    expect(fieldsOf(openAiChat.decodeRequest({ model, messages, ...said }))).toEqual({ fields, dropped });
  });

  it.each([
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic"],
    ["arn:aws:bedrock:us-east-1::foundation-model/meta.llama3-8b-instruct-v1:0", "meta"],
    ["arn:aws:bedrock:us-east-1:1:inference-profile/us-gov.amazon.nova-lite-v1:0", "amazon"],
    ["arn:aws:bedrock:us-east-1:1:application-inference-profile/ab12", ""],
  ])("go by who made a model: %s is of %j", (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});
