import type { z } from "zod";
import { fits, GatewayError, shown } from "../../core/index.ts";

/** Whose mistake a wrong value is: the client's or the upstream's. */
export type Fault = "invalid_request" | "upstream_invalid";

/** Where a value stands. It is put in words only where something is wrong with the value. */
export interface Place {
  /** Its name or its number in what is `around` it; where that is all there is to say, its path. */
  readonly path: string | number;
  readonly fault: Fault;
  readonly around?: Place;
}

export const inside = (around: Place, step: string | number): Place => ({ path: step, fault: around.fault, around });

/** `messages[2].content[0]` */
function pathTo({ path, around }: Place): string {
  if (!around) return String(path);
  const outer = pathTo(around);
  return typeof path === "number" ? `${outer}[${path}]` : outer === "" ? path : `${outer}.${path}`;
}

/** Refuses a value, naming its place, itself and what would have been right. */
export function refuse(place: Place, value: unknown, expected: string): never {
  const path = pathTo(place);
  const subject = path === "" ? "The body" : path;
  const found = value === undefined ? "is missing" : `is ${shown(value)}`;
  throw new GatewayError(place.fault, `${subject} ${found}; expected ${expected}.`, path === "" ? {} : { param: path });
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
