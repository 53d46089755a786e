import type { z } from "zod";
import { fits, GatewayError, shown } from "../../core/index.ts";

/** Whose mistake a wrong value is: the client's or the upstream's. */
export type Fault = "invalid_request" | "upstream_invalid";

/** Where a value stands, for messages: `messages[2].content[0]`. */
export interface Place {
  readonly path: string;
  readonly fault: Fault;
}

export const inside = ({ path, fault }: Place, step: string | number): Place => ({
  path: typeof step === "number" ? `${path}[${step}]` : path === "" ? step : `${path}.${step}`,
  fault,
});

/** Refuses a value, naming its place, itself and what would have been right. */
export function refuse({ path, fault }: Place, value: unknown, expected: string): never {
  const subject = path === "" ? "The body" : path;
  const found = value === undefined ? "is missing" : `is ${shown(value)}`;
  throw new GatewayError(fault, `${subject} ${found}; expected ${expected}.`, path === "" ? {} : { param: path });
}

/** Parses a value, turning the first mistake into one sentence. */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown, place: Place): z.output<Schema> {
  if (fits(schema, value)) return value as z.output<Schema>;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const steps = (issue?.path ?? []).map((step) => (typeof step === "number" ? step : String(step)));
  const at = steps.reduce<Place>(inside, place);
  const found = steps.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], value);
  return refuse(at, found, issue ? wanted(issue) : "another value");
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input: "))
    return issue.expected === "int"
      ? "an integer"
      : `${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  return issue.message;
}
