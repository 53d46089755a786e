/** What a model can do about thinking: nothing, within a token budget, or as it sees fit. */
export type Thinking = "none" | "budget" | "adaptive";

const familyFirst = /claude-[a-z]+-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const versionFirst = /claude-(?:v|instant-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;

/**
 * Read from the name, with or without vendor prefix and date (`claude-opus-4-6`, `us.anthropic.claude-3-7-sonnet-…`).
 * A Claude without a readable version is taken for a new one; other vendors who speak this format know budgets.
 */
export function thinkingOf(model: string): Thinking {
  const name = model.toLowerCase();
  if (!name.includes("claude")) return "budget";
  const version = versionOf(name);
  if (version === undefined) return name.includes("claude-instant") ? "none" : "adaptive";
  return version >= 406 ? "adaptive" : version >= 307 ? "budget" : "none";
}

/** `4.6` as 406. */
function versionOf(name: string): number | undefined {
  const match = versionFirst.exec(name) ?? familyFirst.exec(name);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

/** The most tokens a model that thinks within a budget may be asked for, thinking and answer together. */
export function mostTokens(model: string): number {
  const name = model.toLowerCase();
  return name.includes("opus") && (versionOf(name) ?? 0) < 405 ? 32_000 : 64_000;
}

/** Models that think whatever they are told, and refuse to be told not to. */
export const alwaysThinks = (model: string): boolean => /claude-(?:mythos|fable)/i.test(model);

/** Models from 4.7 on, whose sampling cannot be set: they refuse temperature (but 1), top-p and top-k. */
export function refusesSampling(model: string): boolean {
  const name = model.toLowerCase();
  return name.includes("claude") && (alwaysThinks(name) || (versionOf(name) ?? 0) >= 407);
}
