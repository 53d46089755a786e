import { z } from "../../core/index.ts";
import { conditionList, groups, type Mistake } from "./conditions.ts";
import type { RateDocument } from "./policy-store.ts";
import { common, commonUpdate, keyMistakes } from "./usage-fields.ts";

const type = z.enum(["requests", "tokens"]);
const target = z.enum(["llm", "mcp_tools"]);
/** The windows of token limits are written with a t, too. */
const unit = z.enum(["rpm", "rph", "rpd", "rpw", "tpm", "tph", "tpd", "tpw"]);
const value = z.int().min(0);

/** A rate limits policy in a body or in the file (control-plane.md section 13.4). */
export const rateFields = {
  ...common,
  conditions: conditionList,
  group_by: groups.optional().describe("Absent for mcp_tools is one counter for the workspace."),
  type,
  unit,
  value: value.describe("In each window; 0 lets nothing through."),
  target: target.default("llm"),
};

export const rateUpdate = {
  ...commonUpdate,
  conditions: conditionList.optional(),
  group_by: groups.optional(),
  type: type.optional(),
  unit: unit.optional(),
  value: value.optional(),
  target: target.optional(),
};

export type GivenRate = z.output<z.ZodObject<typeof rateFields>>;
export type RateChange = z.output<z.ZodObject<typeof rateUpdate>>;

/** A unit as it is kept: `tpm` is `rpm` of tokens. */
export const keptUnit = (given: z.output<typeof unit>): RateDocument["unit"] =>
  given.replace(/^t/, "r") as RateDocument["unit"];

/** Mistakes between the fields of a policy. */
export function rateMistakes({ conditions, group_by, target: of, type: what, unit: given }: GivenRate): Mistake[] {
  const mistakes = keyMistakes({ conditions, group_by: group_by ?? [] }, of);
  if (group_by === undefined && of === "llm")
    mistakes.push({ path: ["group_by"], message: "is needed for the target llm" });
  if (given.startsWith("t") && what !== "tokens") mistakes.push(notOfTokens);
  return mistakes;
}

export const notOfTokens: Mistake = {
  path: ["unit"],
  message: "counts tokens: write rpm, rph, rpd or rpw for requests",
};
