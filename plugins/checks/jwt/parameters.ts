import { z } from "../../../core/index.ts";
import { matchType } from "../values.ts";

const address = z.url({ protocol: /^https?$/ });
const duration = /^\d+(?:\.\d+)? ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|y|yrs?|years?)$/i;

/** What a claim has to be. */
const claimValue = z.object({
  values: z.union([z.string(), z.array(z.string())]),
  matchType: matchType.default("exact"),
});

/** What the token check takes (guardrails.md section 11.12). */
export const jwtParameters = z.object({
  jwks: z
    .object({ keys: z.array(z.looseObject({ kty: z.string() })) })
    .optional()
    .describe("The keys, as a JWKS."),
  jwksUri: address.optional().describe("Where the keys are."),
  introspectEndpoint: address.optional().describe("Who knows whether a token is active (RFC 7662)."),
  introspectContentType: z
    .string()
    .default("application/x-www-form-urlencoded")
    .describe("How it is asked; `application/json` sends `{token}`."),
  introspectCacheMaxAge: z.number().min(0).optional().describe("Seconds its word is good for, never beyond `exp`."),
  headerKey: z
    .string()
    .min(1)
    .default("Authorization")
    .describe("The header with the token, `Bearer` before it or not."),
  algorithms: z.array(z.string()).default(["RS256"]).describe("What it may be signed with; RS256 where empty."),
  cacheMaxAge: z.number().min(0).default(86_400).describe("Seconds the keys of `jwksUri` are kept."),
  clockTolerance: z.number().min(0).default(5).describe("Seconds clocks may differ, for `exp` and `nbf`."),
  maxTokenAge: z
    .string()
    .regex(duration, "must be a duration, as in 1d or 30 minutes")
    .default("1d")
    .describe("How long ago it may have been issued (`iat`)."),
  requiredClaims: z.array(z.string()).default([]).describe("Claims it has to have."),
  claimValues: z.record(z.string(), claimValue).default({}).describe("What claims have to be."),
  headerPayloadMatch: z
    .array(z.string())
    .default([])
    .describe("Names that stand in its header and in its claims, alike."),
  extractClaims: z
    .array(z.string())
    .default([])
    .describe("Claims that become headers, for later checks and for `forward_headers`."),
  claimPrefix: z
    .string()
    .regex(/^[A-Za-z0-9-]*$/, "holds letters, digits and hyphens")
    .default("x-jwt-")
    .describe("What the names of those headers begin with."),
});

export type JwtParameters = z.output<typeof jwtParameters>;
