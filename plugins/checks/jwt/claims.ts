import { textOf, valueMatches } from "../values.ts";
import type { JwtParameters } from "./parameters.ts";
import type { Claims, Verified } from "./verify.ts";

type Expected = JwtParameters["claimValues"][string];

export interface Validations {
  readonly signatureValid: boolean;
  readonly requiredClaims: { readonly valid: boolean; readonly missing?: readonly string[] };
  readonly claimValues: { readonly valid: boolean; readonly failed?: readonly string[] };
  readonly headerPayloadMatch: { readonly valid: boolean };
}

/** What is asked of a token besides that it is good. */
export function validationsOf({ header, claims }: Verified, parameters: JwtParameters): Validations {
  const missing = parameters.requiredClaims.filter((claim) => claims[claim] === undefined);
  const failed = Object.entries(parameters.claimValues)
    .filter(([claim, expected]) => !claimFits(claims[claim], expected))
    .map(([claim]) => claim);
  const alike = parameters.headerPayloadMatch.every(
    (name) => header[name] !== undefined && header[name] === claims[name],
  );
  return {
    signatureValid: true,
    requiredClaims: { valid: missing.length === 0, ...(missing.length > 0 && { missing }) },
    claimValues: { valid: failed.length === 0, ...(failed.length > 0 && { failed }) },
    headerPayloadMatch: { valid: alike },
  };
}

/** A text of several words, as `scope` is, is a list of them. */
function claimFits(claim: unknown, { values, matchType }: Expected): boolean {
  const expected = typeof values === "string" ? [values] : values;
  const words = matchType.startsWith("contains") && typeof claim === "string" ? claim.split(" ") : claim;
  return valueMatches(words, expected, matchType);
}

/** Claims as headers, in lower case; what a header cannot carry is left out of them. */
export function headersFrom(claims: Claims, { extractClaims, claimPrefix }: JwtParameters): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const claim of extractClaims) {
    const value = claims[claim];
    if (value === undefined || value === null) continue;
    const name = `${claimPrefix}${claim.replaceAll("_", "-")}`.toLowerCase();
    if (!/^[a-z0-9-]+$/.test(name)) continue;
    headers[name] = (textOf(value) ?? JSON.stringify(value)).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "");
  }
  return headers;
}
