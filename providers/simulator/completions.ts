import { type Dialect, type Frame, type Reply, sse } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { countIn, isRecord, numberIn, textIn, textsIn, type Wire } from "./wire.ts";
import { countTokens, created, digestOf, type Limited, limited, piecesOf, shortened } from "./words.ts";

export const completions: Dialect = { format: "openai-completions", reply, ...openAiErrors };

function reply(wire: Wire, digest: string): Reply {
  const prompts = promptsIn(wire.prompt);
  const variants = Array.from({ length: countIn(wire.n) }, (_, variant) => variant);
  const choices = prompts.flatMap((prompt) => variants.map((variant) => completed(wire, prompt, variant)));
  const head = { id: `cmpl-${digest.slice(0, 24)}`, object: "text_completion", created, model: textIn(wire.model) };
  const usage = usageOf(prompts, choices);
  if (wire.stream === true) return { frames: framesOf(head, choices, usage, wire.stream_options) };
  return {
    whole: {
      ...head,
      choices: choices.map(({ text, finish }, index) => ({ text, index, logprobs: null, finish_reason: finish })),
      usage,
    },
  };
}

/** A prompt is a text, tokens, or a list of either. Tokens are unreadable here, but they are told apart. */
function promptsIn(prompt: unknown): string[] {
  if (!Array.isArray(prompt)) return [textIn(prompt)];
  const list: unknown[] = prompt.every((one) => typeof one === "number") ? [prompt] : prompt;
  return list.map((one) => (Array.isArray(one) ? tokensAsText(one) : textIn(one)));
}

const tokensAsText = (tokens: readonly unknown[]) =>
  `${tokens.length} tokens ${digestOf(JSON.stringify(tokens)).slice(0, 8)}`;

interface Completed extends Limited {
  /** Tokens of the answer, without an echoed prompt. */
  readonly tokens: number;
}

function completed(wire: Wire, prompt: string, variant: number): Completed {
  const suffix = textIn(wire.suffix);
  const said =
    `Simulated answer from ${textIn(wire.model)}: ${shortened(prompt)}` +
    (suffix === "" ? "" : ` (before: ${shortened(suffix)})`) +
    (variant === 0 ? "" : ` (choice ${variant + 1})`);
  const cut = limited(said, { maxTokens: numberIn(wire.max_tokens), stop: textsIn(wire.stop) });
  return { ...cut, text: wire.echo === true ? `${prompt}${cut.text}` : cut.text, tokens: countTokens(cut.text) };
}

function usageOf(prompts: readonly string[], choices: readonly Completed[]): Wire {
  const prompt = prompts.reduce((sum, text) => sum + countTokens(text), 0);
  const completion = choices.reduce((sum, { tokens }) => sum + tokens, 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function framesOf(head: Wire, choices: readonly Completed[], usage: Wire, options: unknown): Frame[] {
  const counted = isRecord(options) && options.include_usage === true;
  const frame = (index: number, text: string, reason: string | null = null) =>
    sse({
      ...head,
      choices: [{ text, index, logprobs: null, finish_reason: reason }],
      ...(counted && { usage: null }),
    });
  const frames = choices.flatMap(({ text, finish }, index): Frame[] => [
    ...piecesOf(text).map((piece) => ({ text: frame(index, piece) })),
    { text: frame(index, "", finish), part: "finish" },
  ]);
  if (counted) frames.push({ text: sse({ ...head, choices: [], usage }) });
  return [...frames, { text: sse("[DONE]"), part: "terminator" }];
}
