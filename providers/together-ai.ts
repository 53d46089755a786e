import {
  compact,
  defineProvider,
  isRecord,
  noThinking,
  plainEffort,
  withTexts,
  withThoughtsIn,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

const renames = { max_completion_tokens: "max_tokens" };
const clamps = { max_tokens: [1, Number.MAX_SAFE_INTEGER] } as const;

/**
 * It thinks always, as much as `low`, `medium` and `high` say; others have a switch, and make what they can of an effort
 * (docs/inference/chat/reasoning).
 */
const isGraded = (model: unknown): boolean => /gpt-oss/i.test(String(model));

/** Whether to think at all is said in `reasoning`; a client that says it there itself knows better. */
function withSwitch({ reasoning_effort: effort, thinking, ...wire }: Wire, report: Report): Wire {
  const off = noThinking(thinking, effort);
  if (isGraded(wire.model)) {
    if (off) report?.(off);
    return { ...wire, ...compact({ reasoning_effort: off ? "low" : plainEffort(effort) }) };
  }
  if (off) return { reasoning: { enabled: false }, ...wire };
  return {
    ...(isRecord(thinking) && { reasoning: { enabled: true } }),
    ...wire,
    ...compact({ reasoning_effort: effort }),
  };
}

/**
 * "Return the trace unmodified under the key it arrived on", which is another one with some models. Contents of other than users are
 * texts (together-ai 0.52, `ChatCompletionToolMessageParam` and others).
 */
function withMessages(wire: Wire, report: Report): Wire {
  if (!Array.isArray(wire.messages)) return wire;
  const field = /gpt-oss|qwen/i.test(String(wire.model)) ? "reasoning" : "reasoning_content";
  const messages = withTexts(wire.messages, report).map((message) => withThoughtsIn(field, message));
  return { ...wire, messages };
}

export default defineProvider({
  name: "together-ai",
  summary: "Together AI: open models.",
  baseUrl: "https://api.together.xyz",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      thinkingField: "reasoning_content",
      renames,
      clamps,
      rewrite: {
        when: ['"text"', '"reasoning"', '"reasoning_content"', '"reasoning_effort"', '"thinking"'],
        apply: (wire, report) => ({ ...withMessages(withSwitch(wire, report), report) }),
      },
    },
    complete: { format: "openai-completions", path: "/v1/completions", renames, clamps },
    embed: { format: "openai-embeddings", path: "/v1/embeddings" },
    image: "together-images",
    // together-ai 0.52, `resources/audio`: all three as OpenAI's clients ask.
    speech: { format: "openai-speech", path: "/v1/audio/speech" },
    transcribe: { format: "openai-transcriptions", path: "/v1/audio/transcriptions" },
    translate: { format: "openai-translations", path: "/v1/audio/translations" },
  },
  // Videos are the one part of the API that has reached version 2.
  proxyPath: (path) => (path.startsWith("/v2/") ? path : `/v1${path}`),
});
