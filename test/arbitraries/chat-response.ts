import fc from "fast-check";
import type {
  AssistantPart,
  ChatResponse,
  Choice,
  CompletionChoice,
  CompletionResponse,
  Usage,
} from "../../core/index.ts";
import { base64, count, redacted, text, textPart, thinking, toolCalls, word } from "./parts.ts";

/** Token counts in disjoint buckets. */
export const arbitraryUsage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
    inputAudioTokens: count,
    outputAudioTokens: count,
  },
  { requiredKeys: ["inputTokens", "outputTokens"] },
);

const saidPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  { weight: 4, arbitrary: textPart },
  { weight: 2, arbitrary: thinking },
  { weight: 1, arbitrary: redacted },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("image" as const),
      source: fc.record({ kind: fc.constant("data" as const), data: base64, mediaType: fc.constant("image/png") }),
    }),
  },
);

const logprobsOf = (said: string) => ({
  content: [{ token: said.slice(0, 4), logprob: -0.25, bytes: null, top_logprobs: [] }],
  refusal: null,
});

const choice = (index: number): fc.Arbitrary<Choice> =>
  fc
    .tuple(
      fc.array(saidPart, { maxLength: 4 }),
      fc.option(text, { nil: undefined, freq: 8 }),
      toolCalls(`${index}x`, 3),
      fc.constantFrom("stop" as const, "length" as const, "content-filter" as const, "other" as const),
      fc.option(fc.constantFrom("end_turn", "STOP", "max_tokens", "pause_turn"), { nil: undefined }),
      fc.boolean(),
    )
    .map(([said, refusal, calls, reason, rawFinishReason, measured]): Choice => {
      const first = said.find((part) => part.type === "text");
      return {
        index,
        content: [...said, ...(refusal ? [{ type: "refusal" as const, text: refusal }] : []), ...calls],
        finishReason: calls.length > 0 ? "tool-calls" : reason,
        ...(rawFinishReason && { rawFinishReason }),
        ...(measured && first && { logprobs: logprobsOf(first.text) }),
      };
    });

const head = {
  id: word.map((name) => `resp_${name}`),
  model: word,
  created: fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }),
  usage: arbitraryUsage,
};

/** A chat answer as any vendor could have given it. */
export const arbitraryChatResponse: fc.Arbitrary<ChatResponse> = fc.record(
  {
    ...head,
    choices: fc.integer({ min: 1, max: 2 }).chain((n) => fc.tuple(...Array.from({ length: n }, (_, at) => choice(at)))),
  },
  { requiredKeys: ["choices"] },
);

const completionChoice = (index: number): fc.Arbitrary<CompletionChoice> =>
  fc
    .tuple(
      fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.constant("") }),
      fc.constantFrom("stop" as const, "length" as const, "content-filter" as const),
      fc.option(fc.constantFrom("eos", "max_length"), { nil: undefined }),
      fc.boolean(),
    )
    .map(([said, finishReason, rawFinishReason, measured]) => ({
      index,
      text: said,
      finishReason,
      ...(rawFinishReason && { rawFinishReason }),
      ...(measured &&
        said !== "" && {
          logprobs: {
            tokens: [said.slice(0, 4)],
            token_logprobs: [-0.5],
            top_logprobs: [{ a: -0.5 }],
            text_offset: [0],
          },
        }),
    }));

/** A text completion as any vendor could have given it. */
export const arbitraryCompletionResponse: fc.Arbitrary<CompletionResponse> = fc.record(
  {
    ...head,
    choices: fc
      .integer({ min: 1, max: 3 })
      .chain((n) => fc.tuple(...Array.from({ length: n }, (_, at) => completionChoice(at)))),
  },
  { requiredKeys: ["choices"] },
);
