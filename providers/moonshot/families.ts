/** How a Kimi model thinks: when it is let, always, or always and as much as it is told. */
export type Thinking = "switched" | "always" | "graded";

/**
 * What there is to know of a model by its name; undefined of those that do not think unless they are other models of their
 * vendor (`moonshot-v1`, `kimi-k2-…`), which take what chat completions take elsewhere. Newer ones are taken for like the last.
 */
export function thinkingOf(model: unknown): Thinking | undefined {
  const [, major, minor = "0"] = /^kimi-k(\d+)(?:\.(\d+))?(?:-|$)/.exec(String(model)) ?? [];
  if (major === undefined || Number(major) < 2) return undefined;
  if (Number(major) > 2) return "graded";
  if (Number(minor) < 5) return undefined;
  return Number(minor) < 7 ? "switched" : "always";
}

/**
 * The values of fields that are fixed where a model thinks: any other one is refused ("invalid temperature: only 1 is allowed
 * for this model"), and that of `temperature` depends on whether it does.
 */
export const fixed: Readonly<Record<string, readonly unknown[]>> = {
  temperature: [1],
  top_p: [0.95, 1],
  presence_penalty: [0],
  frequency_penalty: [0],
};
