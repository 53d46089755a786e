import { Secret } from "../../core/index.ts";
import type { KeptCheck } from "./checks.ts";

const sensitive = /^(?:authorization|proxy-authorization|cookie|x-api-key|api-key)$|token|secret|password|api-?key/i;

/** Checks in which credentials among the headers they send are `Secret`s. */
export const withHiddenHeaders = (checks: readonly KeptCheck[]): unknown =>
  checks.map((check) => {
    const { headers } = check.parameters;
    if (typeof headers !== "object" || headers === null) return check;
    const hidden = Object.entries(headers).map(([name, value]) => [
      name,
      sensitive.test(name) && typeof value === "string" ? new Secret(value) : value,
    ]);
    return { ...check, parameters: { ...check.parameters, headers: Object.fromEntries(hidden) } };
  });
