import fc from "fast-check";
import type {
  AssistantMessage,
  ChatRequest,
  Message,
  Reasoning,
  ResponseFormat,
  SystemMessage,
  Tool,
  ToolChoice,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../core/index.ts";
import { cached, contentPart, image, redacted, text, textPart, thinking, toolCalls, word } from "./parts.ts";

const system: fc.Arbitrary<SystemMessage> = fc.record({
  role: fc.constantFrom("system" as const, "developer" as const),
  content: fc.array(cached(textPart), { minLength: 1, maxLength: 2 }),
});
const user: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant("user" as const),
  content: fc.array(contentPart, { minLength: 1, maxLength: 3 }),
});
const toolResult = (toolCallId: string): fc.Arbitrary<ToolResultPart> =>
  cached(
    fc.record(
      {
        type: fc.constant("tool-result" as const),
        toolCallId: fc.constant(toolCallId),
        content: fc.array(fc.oneof({ weight: 3, arbitrary: textPart }, { weight: 1, arbitrary: image }), {
          minLength: 1,
          maxLength: 2,
        }),
        isError: fc.constant(true),
      },
      { requiredKeys: ["type", "toolCallId", "content"] },
    ),
  );

/** An assistant message and, when it calls tools, their results. */
const assistantTurn = (turn: number): fc.Arbitrary<Message[]> =>
  fc
    .tuple(
      fc.array(fc.oneof(thinking, redacted), { maxLength: 2 }),
      fc.array(cached(textPart), { minLength: 1, maxLength: 2 }),
      toolCalls(String(turn), 2),
    )
    .chain(([thoughts, texts, calls]) => {
      const said: AssistantMessage = { role: "assistant", content: [...thoughts, ...texts, ...calls] };
      if (calls.length === 0) return fc.constant<Message[]>([said]);
      return fc.tuple(...calls.map(({ id }) => toolResult(id))).map((results): Message[] => {
        const answered: ToolMessage = { role: "tool", content: results };
        return [said, answered];
      });
    });

const conversation: fc.Arbitrary<Message[]> = fc
  .tuple(fc.option(system, { nil: undefined }), user, fc.nat({ max: 2 }))
  .chain(([instructions, question, turns]) =>
    fc
      .tuple(
        ...Array.from({ length: turns }, (_, turn) =>
          fc.tuple(assistantTurn(turn), user).map(([said, next]): Message[] =>
            // Tool results and what the user says next share one turn in some formats: the model answers first.
            said.length > 1
              ? [...said, { role: "assistant", content: [{ type: "text", text: "Noted." }] }, next]
              : [...said, next],
          ),
        ),
      )
      .map((rest): Message[] => [...(instructions ? [instructions] : []), question, ...rest.flat()]),
  );

const schemas = fc.constantFrom<Readonly<Record<string, unknown>>[]>(
  { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  { type: "object", properties: { n: { type: "integer" }, tags: { type: "array", items: { type: "string" } } } },
  { type: "object", properties: {}, additionalProperties: false },
);
const tool: fc.Arbitrary<Tool> = cached(
  fc.record(
    { type: fc.constant("function" as const), name: word, description: text, parameters: schemas },
    { requiredKeys: ["type", "name", "parameters"] },
  ),
);
const toolChoice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.record({ type: fc.constantFrom("auto" as const, "none" as const, "required" as const) }),
  fc.record({ type: fc.constant("tool" as const), name: word }),
  fc.record({
    type: fc.constant("among" as const),
    required: fc.boolean(),
    names: fc.array(word, { minLength: 1, maxLength: 3 }),
  }),
);

/** Most choices among several tools are of tools that are there. */
const amongTools = (request: ChatRequest): ChatRequest => {
  const { toolChoice, tools = [] } = request;
  if (toolChoice?.type !== "among") return request;
  const there = tools.slice(toolChoice.names.length % 2).map((tool) => ("name" in tool ? tool.name : ""));
  return {
    ...request,
    toolChoice: { ...toolChoice, names: [...new Set(there.length > 0 ? there : toolChoice.names)] },
  };
};
const responseFormat: fc.Arbitrary<ResponseFormat> = fc.oneof(
  fc.record({ type: fc.constantFrom("text" as const, "json" as const) }),
  fc.record(
    {
      type: fc.constant("json-schema" as const),
      name: word,
      description: text,
      schema: schemas,
      strict: fc.boolean(),
    },
    { requiredKeys: ["type", "name", "schema"] },
  ),
);
const reasoning: fc.Arbitrary<Reasoning> = fc.oneof(
  fc.constantFrom("low", "medium", "high").map((effort) => ({ effort })),
  fc.record({ mode: fc.constant("enabled" as const), budgetTokens: fc.integer({ min: 1024, max: 32_000 }) }),
  fc.record({ mode: fc.constantFrom("disabled" as const, "adaptive" as const) }),
);

const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);

/** A chat request as any client could have sent it. */
export const arbitraryChatRequest: fc.Arbitrary<ChatRequest> = fc
  .record(
    {
      model: word,
      messages: conversation,
      stream: fc.boolean(),
      maxTokens: fc.integer({ min: 1, max: 64_000 }),
      temperature: fraction,
      topP: fraction,
      topK: fc.integer({ min: 1, max: 100 }),
      n: fc.integer({ min: 1, max: 4 }),
      stop: fc.array(text, { minLength: 1, maxLength: 4 }),
      presencePenalty: fraction,
      frequencyPenalty: fraction,
      logitBias: fc.dictionary(fc.nat().map(String), fc.integer({ min: -100, max: 100 }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      logprobs: fc.boolean(),
      topLogprobs: fc.integer({ min: 0, max: 20 }),
      seed: fc.integer(),
      responseFormat,
      tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
      toolChoice,
      parallelToolCalls: fc.boolean(),
      user: word,
      reasoning,
      serviceTier: fc.constantFrom("auto", "default", "standard_only"),
    },
    { requiredKeys: ["model", "messages", "stream"] },
  )
  .map(amongTools);
