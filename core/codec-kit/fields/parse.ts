import type { z } from "zod";
import { raise } from "../../errors/gateway-error.ts";
import { readErrorBody } from "../error-body.ts";
import { refuse } from "./refusal.ts";

/** A request by its schema, whose messages say what is accepted. Refuses the first value that does not fit. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>((inner, step) => (inner as Readonly<Record<PropertyKey, unknown>>)[step], body);
  return refuse(pathText(path), issue?.message ?? "valid", path.length === 0 ? (value ?? null) : value);
}

/** `input[1].text`. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? "body"
    : path.map((step, at) => (typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`)).join("");

/** An answer by its schema; `what` it should have been: "a list of images". Throws `upstream_invalid`. */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const said = readErrorBody(body)?.message ?? `${issue?.path.join(".") || "body"}: ${issue?.message}`;
  return raise("upstream_invalid", `The answer is not ${what}: ${said}`);
}
