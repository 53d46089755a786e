import type { Usage } from "../../../core/index.ts";

/** What is to be paid for: a vendor that says what it bills does not charge for the rest of what it read and wrote. */
export function asBilled(usage: Usage): Usage {
  if (usage.billedInputTokens === undefined && usage.billedOutputTokens === undefined) return usage;
  const { billedInputTokens: input, billedOutputTokens: output, ...used } = usage;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens, inputAudioTokens, ...beyondInput } =
    used;
  const billed = input === undefined ? used : { ...beyondInput, inputTokens: input };
  if (output === undefined) return billed;
  const { outputTokens, reasoningTokens, outputAudioTokens, ...beyondOutput } = billed;
  return { ...beyondOutput, outputTokens: output };
}
