import type { OperationInput } from "../../core/provider-kit/index.ts";
import { withCounts } from "./counts.ts";

/** Whose models complete texts, each in a format of its own, and what their ids begin with (providers.md section 9.7). */
const families = {
  anthropic: "anthropic.",
  cohere: "cohere.",
  meta: "meta.",
  mistral: "mistral.",
  titan: "amazon.titan-t",
  ai21: "ai21.",
} as const;

/** Chat models that are told a dialogue as one text; all later ones are asked by Converse. */
const oldChats = {
  cohere: ["cohere.command-text-v14", "cohere.command-light-text-v14"],
  ai21: ["ai21.j2-mid-v1", "ai21.j2-ultra-v1"],
} as const;

const regions = /^(?:us-gov|us|eu|apac|au|ca|jp|global)\./;

/** The id of a model without a region in front, from the end of its ARN where it comes as one. */
export const plainId = (model: string): string => model.slice(model.lastIndexOf("/") + 1).replace(regions, "");

/** Who made a model, by its id; undefined where that does not say it, as those of profiles of one's own do not. */
export function familyOf(model: string): string | undefined {
  const id = plainId(model);
  const dot = id.indexOf(".");
  return dot < 1 ? undefined : id.slice(0, dot);
}

const beginsWith =
  (...beginnings: readonly string[]) =>
  (model: string): boolean =>
    beginnings.some((beginning) => plainId(model).startsWith(beginning));

export const completions: readonly OperationInput[] = Object.entries(families).map(([family, beginning]) => ({
  format: `bedrock-${family}-completions`,
  serves: beginsWith(beginning),
  normalise: withCounts,
}));

export const isOldChat = beginsWith(...Object.values(oldChats).flat());

export const flattenedChats: readonly OperationInput[] = Object.entries(oldChats).map(([family, models]) => ({
  format: `bedrock-${family}-chat`,
  serves: beginsWith(...models),
  normalise: withCounts,
}));

/** Why a model completes no texts here. */
export function whyNot(operation: string, model: string): string | undefined {
  if (operation !== "complete") return undefined;
  const family = familyOf(model);
  const said = family === undefined ? "its id names no family" : `its family is "${family}"`;
  return `${said}, and texts are completed by models whose ids begin with ${Object.values(families).join(", ")}`;
}
