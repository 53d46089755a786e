import type { ChatRequest } from "../../model/chat.ts";
import { ofModel } from "../of-model.ts";

/** What a model can do about thinking: nothing, within a token budget, or as it sees fit. */
export type Thinking = "none" | "budget" | "adaptive";

/** What Claudes differ in, as far as requests have to be written differently. */
export interface ClaudeAbilities {
  readonly thinking: Thinking;
  /** Temperature, top-p and top-k can be set; the others refuse top-p, top-k and any temperature but 1. */
  readonly sampling: boolean;
  /** Thinks where nothing is said of it. */
  readonly thinksUnasked?: true;
  /** Thinks whatever it is told, and refuses to be told not to. */
  readonly alwaysThinks?: true;
  /** Shows nothing of what it thinks unless it is asked to (`display`). */
  readonly hidesThoughts?: true;
  /** What is said to one that is not to think, where that is not `disabled`. */
  readonly off?: "between_tools";
  /** Refuses to be given a budget for what it thinks. */
  readonly refusesBudgets?: true;
  /** Refuses to be made to call a tool. */
  readonly refusesForcedTools?: true;
  /** Takes instructions between messages, in places of their own. */
  readonly instructedWithin?: true;
  /** Takes back what it thought only behind the very conversation it was thought behind. */
  readonly bindsThoughts?: true;
  /** Words for effort it takes, from least to most; absent where a budget stands for them. */
  readonly efforts?: readonly string[];
}

/** platform.claude.com/docs/en/build-with-claude/effort: `max` came with 4.6, `xhigh` with 4.7. */
const efforts = ["low", "medium", "high", "xhigh", "max"];
const effortsBeforeXhigh = efforts.filter((word) => word !== "xhigh");

const since407: ClaudeAbilities = {
  thinking: "adaptive",
  sampling: false,
  refusesBudgets: true,
  hidesThoughts: true,
  efforts,
};
const since500: ClaudeAbilities = { ...since407, thinksUnasked: true };

/** platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages: since Opus 4.8; of Sonnet 5 it is told both ways. */
const within = { instructedWithin: true } as const;

/** The same, and platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks. */
const bound = { ...within, bindsThoughts: true } as const;

type Row = ClaudeAbilities & { readonly since: number; readonly family?: RegExp };

/**
 * From which version on; 4.6 is 406. The first row that fits counts. What is new in each is told by the vendor's pages for it
 * (platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, and the like).
 */
const rows: readonly Row[] = [
  { since: 501, family: /mythos|fable/, ...since500, ...bound, alwaysThinks: true, refusesForcedTools: true },
  { since: 0, family: /mythos|fable/, ...since500, ...within, alwaysThinks: true },
  { since: 505, family: /opus/, ...since500, ...bound, alwaysThinks: true, refusesForcedTools: true },
  { since: 505, family: /sonnet/, ...since500, ...bound, off: "between_tools", refusesForcedTools: true },
  { since: 505, family: /haiku/, ...since500, ...bound },
  { since: 500, family: /opus/, ...since500, ...within },
  { since: 500, ...since500 },
  { since: 408, family: /opus/, ...since407, ...within },
  { since: 407, ...since407 },
  { since: 406, thinking: "adaptive", sampling: true, efforts: effortsBeforeXhigh },
  { since: 307, thinking: "budget", sampling: true },
  { since: 0, thinking: "none", sampling: true },
];

/** Whose names may come without a version. */
const newest = /claude-(?:mythos|fable)/;

/** Names that say more than a version does. */
const byName: readonly (ClaudeAbilities & { readonly name: RegExp })[] = [
  { name: /claude-mythos-preview/, ...since500, alwaysThinks: true, efforts: effortsBeforeXhigh },
  { name: /claude-instant/, thinking: "none", sampling: true },
];

/** One without a readable version is taken for a new one; nobody is told what it refuses. */
const unknown: ClaudeAbilities = {
  thinking: "adaptive",
  sampling: true,
  thinksUnasked: true,
  hidesThoughts: true,
  efforts,
};

/**
 * What a Claude can do, whoever serves it: read from its name, with or without vendor prefix and date
 * (`claude-opus-4-6`, `us.anthropic.claude-3-7-sonnet-…`). Undefined for models that are none.
 */
export const claudeAbilities: (model: string) => ClaudeAbilities | undefined = ofModel(readAbilities);

function readAbilities(model: string): ClaudeAbilities | undefined {
  const name = model.toLowerCase();
  if (!name.includes("claude")) return undefined;
  const named = byName.find((row) => row.name.test(name));
  if (named) return named;
  const version = claudeVersion(name) ?? (newest.test(name) ? Number.POSITIVE_INFINITY : undefined);
  if (version === undefined) return unknown;
  return rows.find(({ since, family }) => version >= since && (family?.test(name) ?? true));
}

/** So many tokens an answer is given where its client names no number, besides what is thought. */
export const claudeAnswer = 4096;

/** The most tokens that may be asked for, thinking and answer together, by models that think within a budget. */
const most = 64_000;
const mostOfFirstOpus = 32_000;

/** The room for an answer whose client sets no limit: one that would leave none beside the thinking helps nobody. */
export function claudeRoom(model: string, budget = 0): number {
  const isFirstOpus = /opus/i.test(model) && (claudeVersion(model) ?? 0) < 405;
  return Math.min(isFirstOpus ? mostOfFirstOpus : most, claudeAnswer + budget);
}

const familyFirst = /claude-[a-z]+-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const versionFirst = /claude-(?:v|instant-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;

/** The version in the name of a Claude: `claude-opus-4.6` is 406; undefined where it has none. */
export function claudeVersion(model: string): number | undefined {
  const name = model.toLowerCase();
  const match = versionFirst.exec(name) ?? familyFirst.exec(name);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

/** Efforts by the words of all APIs, from least to most. */
const ladder = ["minimal", ...efforts];

/**
 * An effort as a Claude that thinks as it sees fit takes it: one it has no word for becomes the most it takes that is not
 * more than was asked for, so that nobody pays for more (as the vendor's own Claude Code does), and one below all becomes
 * the least. Words that are on nobody's ladder stay as they are: they may be newer than this file.
 */
export function claudeEffort(model: string, effort: string): string {
  const taken = claudeAbilities(model)?.efforts ?? efforts;
  const asked = ladder.indexOf(effort);
  if (asked < 0 || taken.includes(effort)) return effort;
  return taken.findLast((word) => ladder.indexOf(word) < asked) ?? taken[0] ?? effort;
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
