/** A request with everything a client of each chat format may ask for; a request is never quite like this. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

const openAiChat = {
  model: "m",
  messages: [
    { role: "developer", content: "Be brief.", name: "house" },
    {
      role: "user",
      name: "ann",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "https://example.com/cat.png", detail: "low" } },
        { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
        { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me see.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: '{"city":"Rome"}' } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "A cat." },
    { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    { role: "user", content: "And now?" },
  ],
  temperature: 0.5,
  top_p: 0.9,
  n: 2,
  stop: ["END"],
  max_completion_tokens: 100,
  presence_penalty: 0.1,
  frequency_penalty: 0.1,
  logit_bias: { "50256": -100 },
  logprobs: true,
  top_logprobs: 2,
  seed: 7,
  response_format: {
    type: "json_schema",
    json_schema: { name: "place", description: "A place.", schema, strict: true },
  },
  tools: [{ type: "function", function: { name: "look", description: "Looks.", parameters: schema, strict: true } }],
  tool_choice: { type: "function", function: { name: "look" } },
  parallel_tool_calls: false,
  user: "u-1",
  reasoning_effort: "low",
  service_tier: "flex",
  metadata: { team: "blue" },
  store: true,
  modalities: ["text", "audio"],
  audio: { voice: "alloy", format: "wav" },
  prediction: { type: "content", content: "A cat" },
  web_search_options: { search_context_size: "low" },
  verbosity: "low",
  prompt_cache_key: "k",
  safety_identifier: "s",
  moderation: { model: "omni-moderation-latest" },
};

const openAiResponses = {
  model: "m",
  instructions: "Be brief.",
  input: [
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url: "https://example.com/cat.png", detail: "low" },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
      ],
    },
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "gAAA" },
    {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "look",
      arguments: '{"city":"Rome"}',
      status: "completed",
    },
    { type: "function_call_output", call_id: "call_1", output: "A cat." },
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "cats" } },
    { type: "message", role: "user", content: "And now?" },
  ],
  temperature: 0.5,
  top_p: 0.9,
  max_output_tokens: 100,
  top_logprobs: 2,
  text: {
    format: { type: "json_schema", name: "place", description: "A place.", schema, strict: true },
    verbosity: "low",
  },
  tools: [
    { type: "function", name: "look", description: "Looks.", parameters: schema, strict: true },
    { type: "web_search", search_context_size: "low" },
    { type: "custom", name: "shell", description: "Runs.", format: { type: "text" } },
  ],
  tool_choice: { type: "function", name: "look" },
  parallel_tool_calls: false,
  max_tool_calls: 3,
  reasoning: { effort: "low", summary: "auto" },
  include: ["reasoning.encrypted_content"],
  metadata: { team: "blue" },
  service_tier: "flex",
  store: false,
  truncation: "auto",
  user: "u-1",
  safety_identifier: "s",
  prompt_cache_key: "k",
  moderation: { model: "omni-moderation-latest" },
};

const anthropicMessages = {
  model: "m",
  max_tokens: 4096,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral", ttl: "1h" } }],
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?", cache_control: { type: "ephemeral" } },
        { type: "image", source: { type: "url", url: "https://example.com/cat.png" } },
        { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
        {
          type: "document",
          title: "A",
          context: "of cats",
          citations: { enabled: true },
          source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
        },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "EqoB" },
        { type: "redacted_thinking", data: "EmwK" },
        { type: "text", text: "Let me see." },
        { type: "tool_use", id: "toolu_1", name: "look", input: { city: "Rome" } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          is_error: true,
          content: [
            { type: "text", text: "A cat." },
            { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
          ],
        },
        { type: "text", text: "And now?" },
      ],
    },
  ],
  temperature: 1,
  top_p: 0.95,
  top_k: 40,
  stop_sequences: ["END"],
  thinking: { type: "enabled", budget_tokens: 2048 },
  tools: [
    { name: "look", description: "Looks.", input_schema: schema, cache_control: { type: "ephemeral" } },
    { type: "web_search_20250305", name: "web_search", max_uses: 2 },
  ],
  tool_choice: { type: "auto", disable_parallel_tool_use: true },
  metadata: { user_id: "u-1" },
  service_tier: "standard_only",
};

const gemini = {
  model: "m",
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [
    {
      role: "user",
      parts: [
        { text: "What is this?" },
        { inlineData: { mimeType: "image/png", data: pixel } },
        { fileData: { mimeType: "application/pdf", fileUri: "https://example.com/a.pdf" } },
        { inlineData: { mimeType: "audio/wav", data: "UklGRg==" } },
      ],
    },
    {
      role: "model",
      parts: [
        { text: "Hm.", thought: true },
        { functionCall: { id: "c1", name: "look", args: { city: "Rome" } }, thoughtSignature: "CpQB" },
      ],
    },
    { role: "user", parts: [{ functionResponse: { id: "c1", name: "look", response: { result: "A cat." } } }] },
    { role: "user", parts: [{ text: "And now?" }] },
  ],
  tools: [
    { functionDeclarations: [{ name: "look", description: "Looks.", parameters: schema }] },
    { googleSearch: {} },
    { codeExecution: {} },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look"] } },
  safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
  labels: { team: "blue" },
  generationConfig: {
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    candidateCount: 2,
    maxOutputTokens: 100,
    stopSequences: ["END"],
    presencePenalty: 0.1,
    frequencyPenalty: 0.1,
    seed: 7,
    responseLogprobs: true,
    logprobs: 2,
    responseMimeType: "application/json",
    responseSchema: schema,
    responseModalities: ["TEXT"],
    thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
    mediaResolution: "MEDIA_RESOLUTION_LOW",
  },
};

const cohereChat = {
  model: "m",
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}`, detail: "low" } },
      ],
    },
    {
      role: "assistant",
      tool_plan: "I will look.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: '{"city":"Rome"}' } }],
    },
    {
      role: "tool",
      tool_call_id: "call_1",
      content: [{ type: "document", document: { id: "d1", data: { text: "A cat." } } }],
    },
    { role: "user", content: "And now?" },
  ],
  tools: [{ type: "function", function: { name: "look", description: "Looks.", parameters: schema } }],
  tool_choice: "REQUIRED",
  strict_tools: true,
  documents: [{ id: "d2", data: { text: "Cats are animals." } }],
  citation_options: { mode: "ACCURATE" },
  response_format: { type: "json_object", json_schema: schema },
  safety_mode: "STRICT",
  max_tokens: 100,
  stop_sequences: ["END"],
  temperature: 0.5,
  seed: 7,
  frequency_penalty: 0.1,
  presence_penalty: 0.1,
  k: 40,
  p: 0.9,
  logprobs: true,
  thinking: { type: "enabled", token_budget: 1024 },
  priority: 1,
};

const bedrockConverse = {
  model: "m",
  system: [{ text: "Be brief." }, { cachePoint: { type: "default" } }],
  messages: [
    {
      role: "user",
      content: [
        { text: "What is this?" },
        { image: { format: "png", source: { bytes: pixel } } },
        { document: { format: "pdf", name: "a", source: { bytes: "JVBERi0=" } } },
        { video: { format: "mp4", source: { s3Location: { uri: "s3://bucket/a.mp4" } } } },
        { cachePoint: { type: "default" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { reasoningContent: { reasoningText: { text: "Hm.", signature: "EqoB" } } },
        { text: "Let me see." },
        { toolUse: { toolUseId: "tooluse_1", name: "look", input: { city: "Rome" } } },
      ],
    },
    {
      role: "user",
      content: [
        {
          toolResult: {
            toolUseId: "tooluse_1",
            status: "error",
            content: [{ text: "A cat." }, { json: { n: 1 } }, { image: { format: "png", source: { bytes: pixel } } }],
          },
        },
        { text: "And now?" },
      ],
    },
  ],
  inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ["END"] },
  toolConfig: {
    tools: [
      { toolSpec: { name: "look", description: "Looks.", inputSchema: { json: schema } } },
      { cachePoint: { type: "default" } },
    ],
    toolChoice: { tool: { name: "look" } },
  },
  guardrailConfig: { guardrailIdentifier: "g", guardrailVersion: "1", trace: "enabled" },
  additionalModelRequestFields: { top_k: 40 },
  additionalModelResponseFieldPaths: ["/stop_sequence"],
  requestMetadata: { team: "blue" },
  performanceConfig: { latency: "optimized" },
};

/** By the name of the format. */
export const everything: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "openai-chat": openAiChat,
  "openai-responses": openAiResponses,
  "anthropic-messages": anthropicMessages,
  gemini,
  "cohere-chat": cohereChat,
  "bedrock-converse": bedrockConverse,
};
