import { type Attempt, tokensIn, tokensOut, type Usage } from "../../../core/index.ts";

/** What was counted here of an answer. */
export interface Counted {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Whether what came of an answer holds its end: then what its vendor said of its usage is all there is to say. */
export const hasFinished = ({ withheld }: Attempt): boolean =>
  withheld?.choices.some(
    ({ finishReason, rawFinishReason }) => finishReason !== "other" || rawFinishReason !== undefined,
  ) === true;

/** The usage of an answer nobody has told anything of. */
export const countedHere = ({ input, output, reasoning }: Counted): Usage => ({
  inputTokens: input,
  outputTokens: output,
  ...(reasoning > 0 && { reasoningTokens: reasoning }),
  estimated: true,
});

/**
 * What an answer had used when it broke off: what its vendor had said by then, which of the prompt is all of it, and of the answer
 * may be its first token only; what had come of it counts where that is more. Without `counted` it is what was said.
 */
export function usedSoFar(told: Usage, counted: Counted | undefined): Usage {
  if (!counted) return { ...told, estimated: true };
  const { input, output, reasoning } = counted;
  const asked = tokensIn(told) === undefined ? { inputTokens: input } : undefined;
  const said = output + reasoning > (tokensOut(told) ?? 0);
  return {
    ...told,
    ...asked,
    ...(said && {
      outputTokens: output,
      ...((reasoning > 0 || told.reasoningTokens !== undefined) && { reasoningTokens: reasoning }),
    }),
    estimated: true,
  };
}
