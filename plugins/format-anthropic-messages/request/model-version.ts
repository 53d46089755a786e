import { claudeAbilities, claudeVersion, type Thinking } from "../../../core/index.ts";

/** Other vendors who speak this format know budgets. */
export const thinkingOf = (model: string): Thinking => claudeAbilities(model)?.thinking ?? "budget";

/** The most tokens a model that thinks within a budget may be asked for, thinking and answer together. */
export function mostTokens(model: string): number {
  return /opus/i.test(model) && (claudeVersion(model) ?? 0) < 405 ? 32_000 : 64_000;
}

/** Models that think whatever they are told, and refuse to be told not to. */
export const alwaysThinks = (model: string): boolean => claudeAbilities(model)?.alwaysThinks ?? false;
