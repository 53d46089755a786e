import type { Fields } from "../../core/provider-kit/index.ts";

/** What a model answered to a prompt. */
export interface FamilyAnswer {
  readonly text: string;
  readonly finish: string;
  readonly usage?: { readonly prompt: number; readonly completion: number };
}

/** What models call it when they had no more room; and when they were not let (providers.md section 1.5). */
const lengths: ReadonlySet<string> = new Set(["length", "max_tokens", "MAX_TOKENS", "LENGTH"]);
const filters: ReadonlySet<string> = new Set(["CONTENT_FILTERED", "content_filtered", "ERROR_TOXIC"]);

export function finishOf(reason: unknown): string {
  const said = String(reason);
  if (lengths.has(said)) return "length";
  return filters.has(said) ? "content_filter" : "stop";
}

/** Token counts, where both are told. */
export const sizes = (prompt: unknown, completion: unknown): FamilyAnswer["usage"] =>
  typeof prompt === "number" && typeof completion === "number" ? { prompt, completion } : undefined;

/** A text as the chat completion that was asked for. */
export const completionOf = (
  { text, finish, usage }: FamilyAnswer,
  { id, model, created }: { readonly id: string; readonly model: string; readonly created: number },
): Fields => ({
  id: `chatcmpl-${id}`,
  object: "chat.completion",
  created,
  model,
  choices: [
    { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason: finish },
  ],
  ...(usage && {
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  }),
});
