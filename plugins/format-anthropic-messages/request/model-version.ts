import { type ClaudeAbilities, claudeAbilities } from "../../../core/index.ts";

/** Other vendors who speak this format know budgets. */
const others: ClaudeAbilities = { thinking: "budget", sampling: true };

export const abilitiesOf = (model: string): ClaudeAbilities => claudeAbilities(model) ?? others;

export const isClaude = (model: string): boolean => claudeAbilities(model) !== undefined;
