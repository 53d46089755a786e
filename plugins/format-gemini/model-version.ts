import { ofModel } from "../../core/index.ts";

/**
 * `gemini-2.5-pro` as 205, `gemini-3-pro-preview` as 300; undefined for names without a version (`gemini-flash-latest`,
 * tuned models), which are taken for new ones.
 */
function generationOf(model: string): number | undefined {
  const match = /gemini-(\d{1,2})(?:\.(\d))?(?!\d)/i.exec(model);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined;
}

/** How many tokens a model may think for. */
export interface Budgets {
  readonly least: number;
  readonly most: number;
  /** Whether it can be told not to think. */
  readonly off: boolean;
}

const anyBudget: Budgets = { least: 0, most: Number.MAX_SAFE_INTEGER, off: true };

/** What models refuse budgets outside of. The first that fits counts. */
const budgetsOf: readonly (readonly [model: RegExp, budgets: Budgets])[] = [
  [/gemini-2\.5-pro/i, { least: 128, most: 32_768, off: false }],
  [/gemini-2\.5-flash-lite/i, { least: 512, most: 24_576, off: true }],
  [/gemini-2\.5-flash/i, { least: 0, most: 24_576, off: true }],
];

/** How much a model may think, from the least on. */
export const everyLevel = ["minimal", "low", "medium", "high", "xhigh"] as const;
export type Level = (typeof everyLevel)[number];

/**
 * The levels models take; others are refused ("'minimal' is not a supported thinking level for this model"). The first that fits
 * counts. https://ai.google.dev/gemini-api/docs/generate-content/thinking#thinking-levels
 */
const levelsOf: readonly (readonly [model: RegExp, levels: readonly Level[]])[] = [
  [/gemma-4|gemini-3\.\d-flash(?:-lite)?-image/i, ["minimal", "high"]],
  [/gemini-3-pro/i, ["low", "high"]],
  [/flash-lite|gemini-3(?:\.[0-6])?-flash/i, ["minimal", "low", "medium", "high"]],
  // Those that came before it in its family take no more than the usual ones (Google Cloud, "Gemini 4 Hydrogen developer guide").
  [/gemini-4-hydrogen/i, ["low", "medium", "high", "xhigh"]],
];
const usualLevels: readonly Level[] = ["low", "medium", "high"];

/** What models differ in, as far as requests have to be written differently. */
export interface Abilities {
  /** Thinking is set by a level, by a budget of tokens, or not at all. */
  readonly thinking: "level" | "budget" | "none";
  /** The budgets it takes, where thinking is set by one; undefined where it takes none, but levels. */
  readonly budgets: Budgets | undefined;
  /** The levels it takes, where it is set by one. */
  readonly levels: readonly Level[];
  /** Instructions have a field of their own. */
  readonly instructions: boolean;
  /** JSON Schema is taken as it is; older models take the vendor's own subset. */
  readonly jsonSchema: boolean;
  /** JSON may be asked for beside functions; older models refuse the two together. */
  readonly jsonBesideFunctions: boolean;
  /** Function responses hold images and documents. */
  readonly shownResults: boolean;
  /** The role function responses are sent under. */
  readonly resultRole: "function" | "user";
  /** A call in the history is refused without the signature of the model that made it. */
  readonly signedCalls: boolean;
}

export const abilitiesOf: (model: string) => Abilities = ofModel(readAbilities);

function readAbilities(model: string): Abilities {
  const generation = generationOf(model);
  const third = generation !== undefined && generation >= 300;
  const old = generation !== undefined && generation < 205 && !/thinking/i.test(model);
  const newest = /gemma-4/i.test(model) || (generation !== undefined && generation >= 400);
  const oldGemma = /gemma-?[1-3]/i.test(model);
  return {
    thinking: third || newest ? "level" : old || oldGemma ? "none" : "budget",
    // Those of the third generation take them yet.
    budgets: newest ? undefined : (firstFor(budgetsOf, model) ?? anyBudget),
    levels: firstFor(levelsOf, model) ?? usualLevels,
    // "Developer instruction is not enabled for models/gemma-3-27b-it".
    instructions: !oldGemma && !/gemini-(?:1\.0-pro|pro$|pro-vision$)/i.test(model),
    jsonSchema: third || generation === undefined,
    jsonBesideFunctions: third || generation === undefined,
    shownResults: third,
    resultRole: third ? "user" : "function",
    signedCalls: third || (generation === undefined && /gemini/i.test(model)),
  };
}

const firstFor = <Known>(
  known: readonly (readonly [model: RegExp, known: Known])[],
  model: string,
): Known | undefined => known.find(([names]) => names.test(model))?.[1];
