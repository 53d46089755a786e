import {
  defineProvider,
  isRecord,
  noThinking,
  plainEffort,
  withTexts,
  withThoughtsIn,
} from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;
type Report = ((dropped: string) => void) | undefined;

/** Efforts are `low`, `medium` and `high`; whether to think at all is said to the template of a model, where it can be told so. */
function withSwitch({ reasoning_effort: effort, thinking, ...wire }: Wire, report: Report): Wire {
  const off = noThinking(thinking, effort);
  const isGraded = /gpt-oss/i.test(String(wire.model));
  if (off && isGraded) report?.(off);
  const word = off ? isGraded && "low" : plainEffort(effort);
  const switched = !isGraded && (off || isRecord(thinking)) && { enable_thinking: !off };
  const own = isRecord(wire.chat_template_kwargs) ? wire.chat_template_kwargs : {};
  return {
    ...wire,
    ...(switched && { chat_template_kwargs: { ...switched, ...own } }),
    ...(typeof word === "string" && { reasoning_effort: word }),
  };
}

/** "Expected one of: ['str'], got list" (BerriAI/litellm#16612). A format of texts "is not supported yet", and is what none is. */
function chatRequest({ response_format: format, ...wire }: Wire, report: Report): Record<string, unknown> {
  const said = format === undefined || (isRecord(format) && format.type === "text") ? {} : { response_format: format };
  const turns = (all: readonly unknown[]) =>
    withTexts(all, report).map((message) => withThoughtsIn("reasoning", message));
  const messages = Array.isArray(wire.messages) ? { messages: turns(wire.messages) } : {};
  return { ...withSwitch(wire, report), ...said, ...messages };
}

export default defineProvider({
  name: "sambanova",
  summary: "SambaNova: open models at high speed.",
  baseUrl: "https://api.sambanova.ai",
  operations: {
    chat: {
      format: "openai-chat",
      path: "/v1/chat/completions",
      thinkingField: "reasoning",
      rewrite: { when: ['"text"', '"reasoning_content"', '"reasoning_effort"', '"thinking"'], apply: chatRequest },
    },
  },
  proxyPath: (path) => `/v1${path}`,
});
