import type { z } from "zod";
import type { Exchange } from "../model/exchange.ts";

/** Which side of an exchange a check looks at. */
export type CheckTarget = "request" | "response";

/** What a check is given to judge. */
export interface CheckInput {
  /** The texts of the part looked at, one per line. */
  readonly text: string;
  readonly target: CheckTarget;
  /** Whom the text belongs to: model, metadata, principal. Absent where a text is tried on its own. */
  readonly exchange?: Exchange;
}

export interface CheckResult {
  /** True is a pass. */
  readonly verdict: boolean;
  /** What led to it, for the record: JSON. */
  readonly data?: unknown;
}

export interface CheckDefinition<Parameters extends z.ZodType = z.ZodType> {
  /** The family and the name, with a dot between them: `default.endsWith`. */
  readonly id: string;
  /** One sentence: when it passes. */
  readonly summary: string;
  /** A `z.strictObject`: a mistyped parameter is a mistake in the guardrail. */
  readonly parameters: Parameters;
  /** Where it makes sense; absent is both sides. */
  readonly targets?: readonly CheckTarget[];
  /**
   * The most characters that what it looks for can span: with it, a stream is checked while it passes, holding back no
   * more than this. Absent: the check needs the whole text.
   */
  readonly window?: number;
  /** A pure function of its arguments, or a promise when somebody else has to be asked. Throwing is not a verdict. */
  run(input: CheckInput, parameters: z.output<Parameters>): CheckResult | Promise<CheckResult>;
}

export interface Check<Parameters extends z.ZodType = z.ZodType> extends CheckDefinition<Parameters> {
  readonly kind: "check";
}

const idShape = /^[a-z][a-z0-9-]*\.[A-Za-z][A-Za-z0-9-]*$/;

/** Declares a guardrail check: what it takes, and when it passes. */
export function defineCheck<Parameters extends z.ZodType>(definition: CheckDefinition<Parameters>): Check<Parameters> {
  const { id, window } = definition;
  if (!idShape.test(id))
    throw new Error(`"${id}" is not the id of a check: write a family and a name, as in team.noNames`);
  if (window !== undefined && !(Number.isInteger(window) && window > 0))
    throw new Error(`the window of ${id} is ${window}: it counts characters, from 1`);
  return Object.freeze({ kind: "check", ...definition });
}
