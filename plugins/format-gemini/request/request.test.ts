import { describe, expect, it } from "vitest";
import type { ChatRequest, Message, Reasoning } from "../../../core/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { gemini } from "../index.ts";
import { refuseElsewhere } from "./refuse-elsewhere.ts";

const { decodeRequest, encodeRequest } = gemini;

function encoded(request: Partial<ChatRequest>) {
  const dropped: string[] = [];
  const messages: Message[] = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];
  const wire = encodeRequest({ model: "gemini-2.5-flash", stream: false, messages, ...request }, (name) =>
    dropped.push(name),
  );
  return { wire, dropped };
}

/** What a chat client's body becomes. */
function translated(body: Record<string, unknown>) {
  const dropped: string[] = [];
  const wire = encodeRequest(openAiChat.decodeRequest(body), (name) => dropped.push(name));
  return { wire, dropped };
}
const messages = [{ role: "user", content: "Hi" }];
const asked: Message = { role: "user", content: [{ type: "text", text: "Hi" }] };
/** What the model says, behind a question of the user's. */
const behindAsked = (history: readonly Message[], model = "gemini-2.5-flash") =>
  (encoded({ model, messages: [asked, ...history] }).wire.contents as unknown[]).slice(1);

describe("chat requests for gemini", () => {
  it("are written as in providers.md A.2", () => {
    const { wire, dropped } = translated({
      model: "gemini-2.5-flash",
      temperature: 0,
      max_completion_tokens: 64,
      reasoning_effort: "low",
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "p",
          schema: {
            type: "object",
            properties: { n: { anyOf: [{ type: "integer" }, { type: "null" }] }, c: { $ref: "#/$defs/C" } },
            $defs: { C: { type: "string" } },
            additionalProperties: false,
          },
        },
      },
      messages: [
        { role: "system", content: "Answer in JSON." },
        { role: "user", content: "one" },
        {
          role: "user",
          content: [
            { type: "text", text: "two" },
            { type: "image_url", image_url: { url: "gs://b/x.png" } },
          ],
        },
      ],
    });
    expect(dropped).toEqual([]);
    expect(wire).toEqual({
      model: "gemini-2.5-flash",
      systemInstruction: { role: "system", parts: [{ text: "Answer in JSON." }] },
      contents: [
        {
          role: "user",
          parts: [{ text: "one" }, { text: "two" }, { fileData: { mimeType: "image/png", fileUri: "gs://b/x.png" } }],
        },
      ],
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 64,
        thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
        responseMimeType: "application/json",
        responseSchema: {
          type: "object",
          properties: { n: { type: "integer", nullable: true }, c: { type: "string" } },
        },
      },
    });
  });

  it("carry a tool round trip as in providers.md A.3", () => {
    const { wire } = translated({
      model: "gemini-2.5-flash",
      messages: [
        ...messages,
        {
          role: "assistant",
          tool_calls: [
            {
              id: "gateway-1",
              type: "function",
              function: { name: "w", arguments: '{"c":"Oslo"}', thought_signature: "TS" },
            },
          ],
        },
        { role: "tool", tool_call_id: "gateway-1", content: "4C" },
      ],
    });
    expect(wire.contents).toEqual([
      { role: "user", parts: [{ text: "Hi" }] },
      { role: "model", parts: [{ functionCall: { name: "w", args: { c: "Oslo" } }, thoughtSignature: "TS" }] },
      { role: "function", parts: [{ functionResponse: { name: "w", response: { output: "4C" } } }] },
    ]);
  });

  it("say in the place of a signature that the model did not make a call", () => {
    const call = { type: "tool-call", id: "call_1", name: "f", arguments: "{}" } as const;
    const history: Message[] = [{ role: "assistant", content: [call, { ...call, id: "call_2" }] }];
    for (const model of ["gemini-3-pro", "gemini-flash-latest"])
      expect(behindAsked(history, model)).toEqual([
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "call_1", name: "f", args: {} },
              thoughtSignature: "skip_thought_signature_validator",
            },
            { functionCall: { id: "call_2", name: "f", args: {} } },
          ],
        },
      ]);
  });

  it("have the last of instructions alone asked by the user", () => {
    const { wire, dropped } = translated({
      model: "gemini-2.5-flash",
      messages: ["a", "b"].map((content) => ({ role: "system", content })),
    });
    expect(wire).toEqual({
      model: "gemini-2.5-flash",
      systemInstruction: { role: "system", parts: [{ text: "a" }] },
      contents: [{ role: "user", parts: [{ text: "b" }] }],
    });
    expect(dropped).toEqual([]);
  });

  it("keep the results of calls made side by side in one turn, images of the first one behind them", () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const result = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });
    const answered = (id: string, output: string) => ({ functionResponse: { id, name: "f", response: { output } } });
    const { wire } = translated({
      model: "gemini-2.5-flash",
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
        result("a", [{ type: "text", text: "seen" }, image]),
        result("b", "heard"),
        { role: "user", content: "And?" },
      ],
    });
    expect((wire.contents as unknown[]).slice(2)).toEqual([
      { role: "function", parts: [answered("a", "seen"), answered("b", "heard")] },
      {
        role: "user",
        parts: [{ text: "Result 1:" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "And?" }],
      },
    ]);
  });

  it.each([
    ["gemini-2.5-flash", "Shown below."],
    ["gemini-3-pro-preview", ""],
  ])("say where an image is that is all a tool gave: %s", (model, output) => {
    const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const { wire } = translated({
      model,
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "a", content: [image] },
      ],
    });
    const shown = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const response = { id: "a", name: "f", response: { output } };
    expect((wire.contents as unknown[]).slice(2)).toEqual(
      output === ""
        ? [{ role: "user", parts: [{ functionResponse: { ...response, parts: [shown] } }] }]
        : [
            { role: "function", parts: [{ functionResponse: response }] },
            { role: "user", parts: [shown] },
          ],
    );
  });

  it("say arguments that are no JSON as what they are", () => {
    const said: Message = { role: "assistant", content: [{ type: "tool-call", id: "c", name: "f", arguments: '{"a' }] };
    expect(behindAsked([said])).toEqual([
      { role: "model", parts: [{ functionCall: { id: "c", name: "f", args: { INVALID_JSON: '{"a' } } }] },
    ]);
  });

  it("show images of tools to the user where a model looks at nothing but their text", () => {
    const history: Message[] = [
      { role: "assistant", content: [{ type: "tool-call", id: "c", name: "f", arguments: "" }] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            content: [
              { type: "text", text: "See." },
              { type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } },
            ],
          },
        ],
      },
    ];
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const result = { id: "c", name: "f", response: { output: "See." } };
    const [, ...old] = behindAsked(history);
    expect(old).toEqual([
      { role: "function", parts: [{ functionResponse: result }] },
      { role: "user", parts: [image] },
    ]);
    const [, ...fresh] = behindAsked(history, "gemini-3-pro");
    expect(fresh).toEqual([{ role: "user", parts: [{ functionResponse: { ...result, parts: [image] } }] }]);
  });

  it.each<[string, Reasoning, unknown, string[]]>([
    ["gemini-2.5-flash", { effort: "none" }, { includeThoughts: false, thinkingBudget: 0 }, []],
    ["gemini-2.5-pro", { effort: "none" }, { includeThoughts: false, thinkingBudget: 128 }, ["reasoning_effort"]],
    ["gemini-2.5-pro", { mode: "disabled" }, { includeThoughts: false, thinkingBudget: 128 }, ["thinking"]],
    ["gemini-2.5-flash-lite", { mode: "disabled" }, { includeThoughts: false, thinkingBudget: 0 }, []],
    ["gemini-2.5-flash-lite", { budgetTokens: 99 }, { includeThoughts: true, thinkingBudget: 512 }, []],
    ["gemini-2.5-flash", { budgetTokens: 31_999 }, { includeThoughts: true, thinkingBudget: 24_576 }, []],
    ["gemini-2.5-pro", { budgetTokens: 63_999 }, { includeThoughts: true, thinkingBudget: 32_768 }, []],
    ["gemini-flash-latest", { budgetTokens: 63_999 }, { includeThoughts: true, thinkingBudget: 63_999 }, []],
    ["gemini-2.5-pro", { effort: "medium" }, { includeThoughts: true, thinkingBudget: 8192 }, []],
    ["gemini-2.5-pro", { effort: "xhigh" }, { includeThoughts: true, thinkingBudget: 24_576 }, []],
    ["gemini-3-pro", { effort: "high" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-3-pro-preview", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-3-pro-preview", { effort: "medium" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-3.1-pro-preview", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-3.1-pro-preview", { effort: "medium" }, { includeThoughts: true, thinkingLevel: "medium" }, []],
    ["gemini-3-flash-preview", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "minimal" }, []],
    ["gemini-3.5-flash", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "minimal" }, []],
    ["gemini-3.8-flash", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-3.1-flash-lite", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "minimal" }, []],
    ["gemini-3.1-flash-image", { effort: "low" }, { includeThoughts: true, thinkingLevel: "minimal" }, []],
    ["gemini-3.1-flash-lite-image", { effort: "medium" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-4-argon", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-4-carbon", { effort: "xhigh" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-4-hydrogen", { effort: "xhigh" }, { includeThoughts: true, thinkingLevel: "xhigh" }, []],
    ["gemini-4-hydrogen", { effort: "max" }, { includeThoughts: true, thinkingLevel: "xhigh" }, []],
    ["gemini-4-hydrogen", { effort: "minimal" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-4-hydrogen", { budgetTokens: 63_999 }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemma-4-31b-it", { effort: "low" }, { includeThoughts: true, thinkingLevel: "minimal" }, []],
    ["gemma-3-27b-it", { effort: "low" }, undefined, ["reasoning_effort"]],
    ["gemini-3-pro", { mode: "enabled", budgetTokens: 999 }, { includeThoughts: true, thinkingBudget: 999 }, []],
    ["gemini-4-argon", { mode: "enabled", budgetTokens: 999 }, { includeThoughts: true, thinkingLevel: "low" }, []],
    ["gemini-4-argon", { mode: "enabled", budgetTokens: 8000 }, { includeThoughts: true, thinkingLevel: "medium" }, []],
    ["gemini-4-argon", { mode: "adaptive", display: "omitted" }, { includeThoughts: false }, []],
    ["gemini-4-argon", { mode: "disabled" }, undefined, ["thinking"]],
    ["gemma-4-31b-it", { budgetTokens: 31_999 }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-3-pro", { effort: "xhigh" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-3-pro", { effort: "high", display: "summarized" }, { includeThoughts: true, thinkingLevel: "high" }, []],
    ["gemini-3-pro", { display: "summarized" }, { includeThoughts: true }, []],
    ["gemini-2.0-flash", { display: "summarized" }, undefined, []],
    ["gemini-3-pro", { effort: "none" }, undefined, ["reasoning_effort"]],
    ["gemini-2.0-flash", { effort: "high" }, undefined, ["reasoning_effort"]],
    ["gemini-2.0-flash", { mode: "disabled" }, undefined, []],
    ["gemini-2.5-flash", { mode: "enabled", budgetTokens: 0 }, { includeThoughts: false, thinkingBudget: 0 }, []],
    ["gemini-2.5-pro", { mode: "enabled", budgetTokens: 199 }, { includeThoughts: true, thinkingBudget: 199 }, []],
    ["gemini-2.5-pro", { mode: "adaptive" }, { includeThoughts: true, thinkingBudget: -1 }, []],
    [
      "gemini-2.5-pro",
      { mode: "adaptive", effort: "low" },
      { includeThoughts: true, thinkingBudget: -1 },
      ["reasoning_effort"],
    ],
    ["gemini-3.1-pro", { mode: "adaptive", effort: "low" }, { includeThoughts: true, thinkingLevel: "low" }, []],
    [
      "gemini-3-pro",
      { mode: "adaptive", effort: "max", display: "omitted" },
      { includeThoughts: false, thinkingLevel: "high" },
      [],
    ],
    [
      "gemini-2.5-pro",
      { mode: "enabled", budgetTokens: 9, effort: "low", display: "omitted" },
      { includeThoughts: false, thinkingBudget: 128 },
      ["reasoning_effort"],
    ],
    ["gemini-3-pro", { mode: "disabled" }, undefined, ["thinking"]],
  ])("set thinking of %s: %j", (model, reasoning, thinkingConfig, lost) => {
    const { wire, dropped } = encoded({ model, reasoning });
    expect((wire.generationConfig as Record<string, unknown> | undefined)?.thinkingConfig).toEqual(thinkingConfig);
    expect(dropped).toEqual(lost);
  });

  it.each([
    ["gemini-2.5-flash", [{ type: "function", name: "f" }], undefined, ["response_format"]],
    ["gemini-2.5-flash", [], "application/json", []],
    ["gemini-3-pro", [{ type: "function", name: "f" }], "application/json", []],
  ] as const)("ask %s for JSON beside %j", (model, tools, responseMimeType, lost) => {
    for (const responseFormat of [{ type: "json" }, { type: "json-schema", schema: {} }] as const) {
      const { wire, dropped } = encoded({ model, tools, responseFormat });
      const { generationConfig: config } = wire as { generationConfig?: Record<string, unknown> };
      expect(config?.responseMimeType).toBe(responseMimeType);
      expect(dropped).toEqual(lost);
    }
  });

  it("name the vendor's own tools as functions", () => {
    const tool = (name: string, parameters = {}) => ({ type: "function", function: { name, parameters } });
    const { wire, dropped } = translated({
      model: "gemini-2.5-flash",
      messages,
      tools: [
        tool("google_search"),
        tool("googleSearchRetrieval", { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC" } }),
        tool("computer_use", { environment: "ENVIRONMENT_BROWSER", excluded_predefined_functions: ["drag"] }),
        tool("googleMaps", { enableWidget: true, retrievalConfig: { languageCode: "en" } }),
        tool("enterprise_web_search"),
        { type: "code_execution" },
        tool("now"),
      ],
    });
    expect(dropped).toEqual([]);
    expect(wire.tools).toEqual([
      { functionDeclarations: [{ name: "now" }] },
      { googleSearch: {} },
      { googleSearchRetrieval: { dynamicRetrievalConfig: { mode: "MODE_DYNAMIC" } } },
      { computerUse: { environment: "ENVIRONMENT_BROWSER", excludedPredefinedFunctions: ["drag"] } },
      { googleMaps: { enableWidget: true } },
      { enterpriseWebSearch: {} },
      { codeExecution: {} },
    ]);
    expect(wire.toolConfig).toEqual({ retrievalConfig: { languageCode: "en" } });
  });

  it("carry the fields that are there for this vendor", () => {
    const { wire, dropped } = translated({
      model: "gemini-2.5-flash",
      messages,
      modalities: ["text", "image"],
      image_config: { aspect_ratio: "16:9", image_size: "2K" },
      media_resolution: "MEDIA_RESOLUTION_LOW",
      audio: { voice: "Kore" },
      safety_settings: [{ category: "C", threshold: "T" }],
      cached_content: "cachedContents/1",
      store: true,
    });
    expect(dropped).toEqual(["store"]);
    expect(wire).toMatchObject({
      safetySettings: [{ category: "C", threshold: "T" }],
      cachedContent: "cachedContents/1",
      generationConfig: {
        responseModalities: ["TEXT", "IMAGE"],
        imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
        mediaResolution: "MEDIA_RESOLUTION_LOW",
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
      },
    });
  });

  it.each([
    ["high", "MEDIA_RESOLUTION_HIGH"],
    ["ultra_high", "MEDIA_RESOLUTION_ULTRA_HIGH"],
    ["MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_LOW"],
  ])("call the media resolution %s by the name the API has for it", (media_resolution, level) => {
    const image_url = { url: "data:image/png;base64,AAAA", media_resolution };
    const { wire } = translated({
      model: "gemini-3-pro",
      media_resolution,
      messages: [{ role: "user", content: [{ type: "image_url", image_url }] }],
    });
    expect(wire).toMatchObject({
      contents: [{ parts: [{ mediaResolution: { level } }] }],
      generationConfig: { mediaResolution: level },
    });
  });

  it("report what has no place", () => {
    const { dropped } = encoded({
      seed: 2 ** 40,
      user: "u",
      logitBias: { 1: 1 },
      parallelToolCalls: false,
      toolChoice: { type: "required" },
      serviceTier: "scale",
    });
    expect(dropped.sort()).toEqual([
      "logit_bias",
      "parallel_tool_calls",
      "seed",
      "service_tier",
      "tool_choice",
      "user",
    ]);
  });

  it.each<[object, string[] | undefined]>([
    [{ modalities: ["text", "audio"], audio: { voice: "Kore", format: "pcm16" } }, ["AUDIO"]],
    [{ modalities: ["text"], audio: { voice: "Kore", format: "pcm16" } }, ["TEXT"]],
    [{ audio: { voice: "Kore" } }, ["AUDIO"]],
    [{ speech_config: { voice_config: {} } }, ["AUDIO"]],
    [{ modalities: ["text", "image"] }, ["TEXT", "IMAGE"]],
    [{}, undefined],
  ])("ask for sounds alone: %j", (more, responseModalities) => {
    const { wire, dropped } = translated({ model: "gemini-2.5-flash-preview-tts", messages, ...more });
    expect([Object(wire.generationConfig).responseModalities, dropped]).toEqual([responseModalities, []]);
  });

  it.each([
    ["wav", ["audio.format"]],
    ["pcm16", []],
  ])("name a kind of sound that is not to be had: %s", (format, lost) => {
    expect(translated({ messages, audio: { voice: "Kore", format } }).dropped).toEqual(lost);
  });

  it.each<[string, string | undefined]>([
    ["fast", "priority"],
    ["priority", "priority"],
    ["flex", "flex"],
    ["default", "standard"],
    ["auto", undefined],
  ])("call the tier %s %s", (serviceTier, tier) => {
    expect(encoded({ serviceTier })).toMatchObject({ dropped: [] });
    expect(encoded({ serviceTier }).wire.serviceTier).toBe(tier);
  });

  it("leave instructions among the messages for models without a place for them", () => {
    const system: Message = { role: "system", content: [{ type: "text", text: "Be brief." }] };
    const user: Message = { role: "user", content: [{ type: "text", text: "Hi" }] };
    expect(encoded({ model: "gemini-1.0-pro-001", messages: [system, user] }).wire).toEqual({
      model: "gemini-1.0-pro-001",
      contents: [{ role: "user", parts: [{ text: "Be brief." }, { text: "Hi" }] }],
    });
    const blank: Message = { role: "assistant", content: [] };
    expect(encoded({ model: "gemini-1.0-pro-001", messages: [system, blank] }).wire).toMatchObject({
      contents: [{ role: "user", parts: [{ text: "Be brief." }] }],
    });
  });
});

describe("requests of gemini clients", () => {
  it("may be written in snake case, with single objects for lists of one", () => {
    expect(
      decodeRequest({
        model: "m",
        stream: true,
        system_instruction: { parts: { text: "Be brief." } },
        contents: { parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] },
        generation_config: { max_output_tokens: 5, stop_sequences: ["x"], response_mime_type: "application/json" },
        tools: { function_declarations: [{ name: "f", parameters: { type: "OBJECT" } }] },
        tool_config: { function_calling_config: { mode: "any" } },
      }),
    ).toMatchObject({
      model: "m",
      stream: true,
      includeUsage: true,
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief." }] },
        { role: "user", content: [{ type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } }] },
      ],
      maxTokens: 5,
      stop: ["x"],
      responseFormat: { type: "json" },
      tools: [{ type: "function", name: "f", parameters: { type: "object" } }],
      toolChoice: { type: "required" },
    });
  });

  it.each([
    [undefined, { mode: "VALIDATED" }],
    [{ type: "auto" }, { mode: "VALIDATED" }],
    [{ type: "among", required: false, names: ["f"] }, { mode: "VALIDATED" }],
    [{ type: "required" }, { mode: "ANY" }],
    [
      { type: "tool", name: "f" },
      { mode: "ANY", allowedFunctionNames: ["f"] },
    ],
    [{ type: "none" }, { mode: "NONE" }],
  ] as const)("holds calls to what strict functions say where the choice is %j", (toolChoice, config) => {
    const dropped: string[] = [];
    const tools = [{ type: "function", name: "f", strict: true }] as const;
    const messages = [{ role: "user", content: [{ type: "text", text: "Hi" }] }] as const;
    const asked = { model: "m", messages, stream: false, tools, ...(toolChoice && { toolChoice }) };
    const wire = encodeRequest(asked, (name) => dropped.push(name));
    expect([wire.toolConfig, dropped]).toEqual([{ functionCallingConfig: config }, []]);
  });

  it("may have types in capitals where a JSON Schema belongs", () => {
    const own = {
      type: "OBJECT",
      properties: { type: { type: "STRING" }, of: { type: "ARRAY", items: { type: "INTEGER" } } },
    };
    const plain = {
      type: "object",
      properties: { type: { type: "string" }, of: { type: "array", items: { type: "integer" } } },
    };
    const asked = (schema: object) =>
      decodeRequest({
        contents: [{ role: "user", parts: [{ text: "Hi" }] }],
        tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] }],
        generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
      });
    for (const schema of [own, plain])
      expect(asked(schema)).toMatchObject({
        tools: [{ parameters: plain }],
        responseFormat: { type: "json-schema", schema: plain },
      });
  });

  const of = (generationConfig: object, more: object = {}) =>
    decodeRequest({ contents: [{ role: "user", parts: [{ text: "Hi" }] }], generationConfig, ...more });
  const json = { mimeType: "APPLICATION_JSON", schema: { type: "object" } };

  it.each<[string, unknown, object | undefined]>([
    ["a schema", [{ text: json }], { type: "json-schema", schema: { type: "object" } }],
    [
      "a schema, alone",
      { text: { ...json, mimeType: undefined, mime_type: "application/json" } },
      { type: "json-schema", schema: { type: "object" } },
    ],
    ["JSON", [{ text: { mimeType: "application/json" } }], { type: "json" }],
    ["text", [{ text: { mimeType: "TEXT_PLAIN" } }], { type: "text" }],
    ["a sound", [{ audio: {} }], undefined],
    ["a text and an image", [{ text: json }, { image: {} }], undefined],
    ["XML", [{ text: { mimeType: "text/xml" } }], undefined],
  ])("say in their formats that the answer is to be %s", (_, responseFormat, meant) => {
    const request = of({ responseFormat });
    expect(request.responseFormat).toEqual(meant);
    expect(encodeRequest(request, (name) => expect.fail(name)).generationConfig).toEqual({ responseFormat });
    expect(request.extra?.fields.generationConfig).toEqual(meant === undefined ? { responseFormat } : undefined);
  });

  it("ask for nothing where they leave something unspecified", () => {
    const unspecified = {
      generationConfig: {
        thinkingConfig: { thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" },
        responseModalities: ["MODALITY_UNSPECIFIED"],
      },
      toolConfig: { functionCallingConfig: { mode: "MODE_UNSPECIFIED" } },
      serviceTier: "unspecified",
    };
    const { generationConfig, ...more } = unspecified;
    const request = of(generationConfig, more);
    const dropped: string[] = [];
    const wire = openAiChat.encodeRequest(request, (name) => dropped.push(name));
    expect(wire).toEqual({ messages: [{ role: "user", content: "Hi" }] });
    expect(dropped).toEqual([]);
    expect(encodeRequest(request, (name) => dropped.push(name))).toMatchObject(unspecified);
    expect(encodeRequest(of({}, { serviceTier: "batch" }), (name) => dropped.push(name)).serviceTier).toBe("batch");
    expect(dropped).toEqual([]);
  });

  it("ask OpenAI for the standard tier by the name it has there", () => {
    const request = of({}, { serviceTier: "STANDARD" });
    expect(openAiChat.encodeRequest(request, () => {})).toMatchObject({ service_tier: "default" });
    expect(encodeRequest(request, () => {})).toMatchObject({ serviceTier: "standard" });
  });

  it.each(["cachedContent", "continuationToken"])("are refused elsewhere with %s", (param) => {
    expect(() => refuseElsewhere(of({}, { [param]: "x" }))).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param } }),
    );
    for (const none of ["", null]) expect(() => refuseElsewhere(of({}, { [param]: none }))).not.toThrow();
  });

  it("have their calls and results told apart where they have no ids", () => {
    const call = (name: string) => ({ functionCall: { name, args: {} } });
    const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
    const { messages } = decodeRequest({
      contents: [
        { role: "model", parts: [call("a"), call("b"), call("a")] },
        { role: "user", parts: [result("b", "2"), result("a", "1"), result("a", "3"), result("c", "?")] },
      ],
    });
    const [said, answered] = messages;
    const calls = said?.content.map((part) => (part.type === "tool-call" ? part.id : undefined)) ?? [];
    expect(new Set(calls).size).toBe(3);
    expect(answered?.content.map((part) => (part.type === "tool-result" ? part.toolCallId : undefined))).toEqual([
      calls[1],
      calls[0],
      calls[2],
      expect.not.stringMatching(new RegExp(`^(?:${calls.join("|")})$`)),
    ]);
  });

  it.each<[unknown, string]>([
    [null, "body"],
    [{ contents: "Hi" }, "contents"],
    [{ contents: [{ parts: [7] }] }, "contents[0].parts[0]"],
    [{ contents: [{ parts: [{ text: 7 }] }] }, "contents[0].parts[0].text"],
    [
      { contents: [{ role: "model", parts: [{ functionCall: { args: {} } }] }] },
      "contents[0].parts[0].functionCall.name",
    ],
    [
      { contents: [{ role: "model", parts: [{ functionCall: { name: "f", args: "x" } }] }] },
      "contents[0].parts[0].functionCall.args",
    ],
    [{ contents: [], generationConfig: { temperature: "hot" } }, "generationConfig.temperature"],
    [{ contents: [], generationConfig: { stopSequences: "x" } }, "generationConfig.stopSequences"],
    [{ contents: [], tools: [{ functionDeclarations: [{}] }] }, "tools[0].functionDeclarations[0].name"],
  ])("are refused with the place of the mistake: %j", (body, param) => {
    expect(() => decodeRequest(body)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        details: { param },
        message: expect.stringContaining("must be"),
      }),
    );
  });

  it("keep what other formats cannot say, and report it there", () => {
    const body = {
      model: "m",
      contents: [{ role: "user", parts: [{ text: "Hi", partMetadata: { a: 1 } }] }],
      toolConfig: { functionCallingConfig: { mode: "VALIDATED" } },
      generationConfig: { thinkingConfig: { includeThoughts: true }, speechConfig: {} },
      labels: { team: "x" },
    };
    const request = decodeRequest(body);
    expect(encodeRequest({ ...request, tools: [{ type: "function", name: "a" }] }, () => {})).toMatchObject(body);
    const dropped: string[] = [];
    openAiChat.encodeRequest(request, (name) => dropped.push(name));
    expect(dropped.sort()).toEqual([
      ...["generation_config", "labels", "messages.part_metadata", "thinking.display", "tool_config"],
    ]);
  });
});
