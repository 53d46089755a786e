import type { z } from "zod";
import { didYouMean } from "../nearest.ts";
import type { CheckInput, CheckResult, CheckTarget } from "./check-input.ts";
import type { CheckTable } from "./check-table.ts";
import type { CheckTools } from "./check-tools.ts";
import type { Redactor } from "./redactor.ts";

export interface CheckDefinition<Parameters extends z.ZodObject = z.ZodObject> {
  /** The family and the name, with a dot between them: `default.endsWith`. */
  readonly id: string;
  /** Other spellings of the id. */
  readonly aliases?: readonly string[];
  /** One sentence: when it passes. */
  readonly summary: string;
  /** What it takes, with a `.describe()` each. What every check takes (`failOnError`, `timeout`, …) it is told if it names it. */
  readonly parameters: Parameters;
  /** A mistake that shows in several parameters together; undefined where there is none. */
  refuse?(parameters: z.output<Parameters>): string | undefined;
  /**
   * What can be used and is hardly meant: a schema of a type that there is not. Whoever makes a guardrail over the API is refused with
   * it, and of those in the file the log says it; those that are kept or sent are run as they are.
   */
  doubt?(parameters: z.output<Parameters>): string | undefined;
  /** Where it makes sense; absent is both sides. */
  readonly targets?: readonly CheckTarget[];
  /** It looks at no body, and also guards requests that are sent on as they come. */
  readonly bodiless?: boolean;
  /** It needs a text: without one it is not run, and that is an error. */
  readonly needsText?: boolean;
  /**
   * It is about what was said as a whole: how long it is, what form it has, what has to be in it. What stands beside that (code that the
   * vendor ran, sources, names of files) is no text to it. Absent: it looks for something, wherever it can be read.
   */
  readonly measures?: true | ((parameters: z.output<Parameters>) => boolean);
  /** The verdict where it could not be had; false unless said. Errors count as passed all the same, unless asked not to. */
  readonly verdictOnError?: boolean;
  /** The verdict on a side where it makes no sense, which is an error; that of other errors unless said. */
  readonly verdictElsewhere?: boolean;
  /** Parameters that are called: their addresses are held to the rules. */
  readonly urls?: readonly string[];
  /**
   * The most characters that what it looks for can span: with it, a stream is checked while it passes, holding back no
   * more than this; `run` gives its verdict at once then. Without one it needs the whole text.
   */
  readonly window?: number;
  /** The same, where it depends on the parameters. */
  windowOf?(parameters: z.output<Parameters>): number | undefined;
  /** For checks that take something out of texts, in streams too: what, and what stands there instead. Made anew per text. */
  redactor?(parameters: z.output<Parameters>): Redactor | undefined;
  /** Texts with what becomes of them: its test, and its documentation. */
  readonly table?: CheckTable<Parameters>;
  /** A function of its arguments, or a promise when somebody else has to be asked. What it throws is its error. */
  run(input: CheckInput, parameters: z.output<Parameters>, tools: CheckTools): CheckResult | Promise<CheckResult>;
}

export interface Check<Parameters extends z.ZodObject = z.ZodObject> extends CheckDefinition<Parameters> {
  readonly kind: "check";
}

const idShape = /^[a-z][a-z0-9-]*\.[A-Za-z][A-Za-z0-9-]*$/;

/** Declares a guardrail check: what it takes, and when it passes. */
export function defineCheck<Parameters extends z.ZodObject>(
  definition: CheckDefinition<Parameters>,
): Check<Parameters> {
  const { id, window } = definition;
  const wrong = problemOf(definition);
  if (wrong !== undefined) throw new Error(`defineCheck: ${wrong}`);
  if (!idShape.test(id))
    throw new Error(`"${id}" is not the id of a check: write a family and a name, as in team.noNames`);
  if (window !== undefined && !(Number.isInteger(window) && window > 0))
    throw new Error(`the window of ${id} is ${window}: it counts characters, from 1`);
  return Object.freeze({ kind: "check", ...definition });
}

const fields = Object.keys({
  id: true,
  aliases: true,
  summary: true,
  parameters: true,
  refuse: true,
  doubt: true,
  targets: true,
  bodiless: true,
  needsText: true,
  measures: true,
  verdictOnError: true,
  verdictElsewhere: true,
  urls: true,
  window: true,
  windowOf: true,
  redactor: true,
  table: true,
  run: true,
} satisfies Record<keyof CheckDefinition, true>);

/** JavaScript has no types to say what is missing, and what is misspelt would never be asked for. */
function problemOf(definition: object): string | undefined {
  for (const key of Object.keys(definition)) {
    const meant = fields.includes(key) ? "" : didYouMean(key, fields);
    if (meant !== "") return `unknown field "${key}"${meant}`;
  }
  const { summary, parameters, run } = definition as Partial<CheckDefinition>;
  if (typeof summary !== "string" || summary === "") return "summary is missing: one sentence on when it passes";
  if (typeof parameters?.safeParse !== "function")
    return "parameters is missing: a z.object, empty where there are none";
  if (typeof run !== "function") return "run is missing: the function that gives the verdict";
  return undefined;
}
