import type { ChatRequest } from "../../model/chat.ts";

/** What a model can do about thinking: nothing, within a token budget, or as it sees fit. */
export type Thinking = "none" | "budget" | "adaptive";

/** What Claudes differ in, as far as requests have to be written differently. */
export interface ClaudeAbilities {
  readonly thinking: Thinking;
  /** Temperature, top-p and top-k can be set; the others refuse top-p, top-k and any temperature but 1. */
  readonly sampling: boolean;
  /** Thinks whatever it is told, and refuses to be told not to. */
  readonly alwaysThinks?: true;
}

/** From which version on; 4.6 is 406. The first row that fits counts. */
const byVersion: readonly (ClaudeAbilities & { readonly since: number })[] = [
  { since: 407, thinking: "adaptive", sampling: false },
  { since: 406, thinking: "adaptive", sampling: true },
  { since: 307, thinking: "budget", sampling: true },
  { since: 0, thinking: "none", sampling: true },
];

/** Names that say more than a version does, or come without one. */
const byName: readonly (ClaudeAbilities & { readonly name: RegExp })[] = [
  { name: /claude-(?:mythos|fable)/, thinking: "adaptive", sampling: false, alwaysThinks: true },
  { name: /claude-instant/, thinking: "none", sampling: true },
];

/** One without a readable version is taken for a new one; nobody is told what it refuses. */
const unknown: ClaudeAbilities = { thinking: "adaptive", sampling: true };

/**
 * What a Claude can do, whoever serves it: read from its name, with or without vendor prefix and date
 * (`claude-opus-4-6`, `us.anthropic.claude-3-7-sonnet-…`). Undefined for models that are none.
 */
export function claudeAbilities(model: string): ClaudeAbilities | undefined {
  const name = model.toLowerCase();
  if (!name.includes("claude")) return undefined;
  const named = byName.find((row) => row.name.test(name));
  if (named) return named;
  const version = claudeVersion(name);
  return version === undefined ? unknown : byVersion.find(({ since }) => version >= since);
}

const familyFirst = /claude-[a-z]+-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const versionFirst = /claude-(?:v|instant-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;

/** The version in the name of a Claude: `claude-opus-4.6` is 406; undefined where it has none. */
export function claudeVersion(model: string): number | undefined {
  const name = model.toLowerCase();
  const match = versionFirst.exec(name) ?? familyFirst.exec(name);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

export type Sampling = Pick<ChatRequest, "temperature" | "topP" | "topK">;

/**
 * What of a request's sampling a Claude takes; what it refuses is left out and reported by its public name. It takes one
 * of temperature and top-p, and beside thinking that was switched on for the client (`thinks`) only its own temperature.
 */
export function claudeSampling(request: ChatRequest, thinks: boolean, report: (dropped: string) => void): Sampling {
  const { model, temperature: asked, topP, topK } = request;
  const free = claudeAbilities(model)?.sampling ?? true;
  const temperature = asked === undefined ? undefined : Math.min(1, Math.max(0, asked));
  // 1 is what models that cannot be set do anyway.
  const keptTemperature = !free || (thinks && temperature !== 1) ? undefined : temperature;
  const keptTopP = !free || keptTemperature !== undefined || (thinks && (topP ?? 1) < 0.95) ? undefined : topP;
  const keptTopK = !free || thinks ? undefined : topK;
  if (temperature !== undefined && keptTemperature === undefined && (free || asked !== 1)) report("temperature");
  if (topP !== undefined && keptTopP === undefined) report("top_p");
  if (topK !== undefined && keptTopK === undefined) report("top_k");
  return {
    ...(keptTemperature !== undefined && { temperature: keptTemperature }),
    ...(keptTopP !== undefined && { topP: keptTopP }),
    ...(keptTopK !== undefined && { topK: keptTopK }),
  };
}
