import { GatewayError } from "../../errors/gateway-error.ts";
import { type Fields, isRecord } from "../records.ts";

const longest = 60;

/** A value in a message, cut where it gets long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The sentence about a wrong value: the field, what it may be and what it was. */
export const mustBe = (param: string, accepted: string, value: unknown): string =>
  value === undefined
    ? `${param} is required and must be ${accepted}`
    : `${param} must be ${accepted}, got ${shown(value)}`;

/** A 400 that says so. */
export function refuse(param: string, accepted: string, value: unknown): never {
  throw new GatewayError("invalid_request", mustBe(param, accepted, value), { param });
}

/** An object of a request; refused when it is something else. `path` is empty for the body itself. */
export const objectAt = (value: unknown, path: string): Readonly<Fields> =>
  isRecord(value) ? value : refuse(path || "body", "an object", value);

/** A text of a request; refused when it is something else. */
export const textAt = (value: unknown, path: string): string =>
  typeof value === "string" ? value : refuse(path, "a string", value);
