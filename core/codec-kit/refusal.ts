import { GatewayError } from "../errors/gateway-error.ts";

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
