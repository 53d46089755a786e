import { defineCheck } from "../../../../core/index.ts";
import { headersFrom, type Validations, validationsOf } from "../../jwt/claims.ts";
import { jwtParameters } from "../../jwt/parameters.ts";
import { expired, good, jwks, old, otherKid } from "../../jwt/sample-tokens.ts";
import { Refusal, type Verified, verified } from "../../jwt/verify.ts";
import { subjectOf } from "../../subject.ts";
import { refusePatterns } from "../../values.ts";

const notChecked: Validations = {
  signatureValid: false,
  requiredClaims: { valid: false },
  claimValues: { valid: false },
  headerPayloadMatch: { valid: false },
};

const refused = (explanation: string, validations: Validations = notChecked) => ({
  verdict: false,
  data: { verdict: false, explanation, validations },
});

export default defineCheck({
  id: "default.jwt",
  summary: "Passes requests with a JSON Web Token that is signed, in force, and says what it has to say.",
  parameters: jwtParameters,
  refuse({ jwks, jwksUri, introspectEndpoint, claimValues }) {
    if (!jwks && jwksUri === undefined && introspectEndpoint === undefined)
      return "needs one of jwks, jwksUri, introspectEndpoint";
    const values = Object.values(claimValues).map(({ values, matchType }) =>
      refusePatterns([values].flat(), matchType),
    );
    return values.find((mistake) => mistake !== undefined);
  },
  targets: ["request"],
  bodiless: true,
  urls: ["jwksUri", "introspectEndpoint"],
  async run(input, parameters, tools) {
    const { headers } = subjectOf(input);
    const [sent] = [headers[parameters.headerKey.toLowerCase()]].flat();
    const token = sent?.replace(/^bearer\s+/i, "").trim();
    if (!token) return refused(`The request has no token in ${parameters.headerKey}.`);
    let known: Verified;
    try {
      known = await verified(token, parameters, tools);
    } catch (error) {
      if (error instanceof Refusal) return refused(`The token is not good: ${error.message}.`);
      throw error;
    }
    const validations = validationsOf(known, parameters);
    const { requiredClaims, claimValues, headerPayloadMatch } = validations;
    const verdict = requiredClaims.valid && claimValues.valid && headerPayloadMatch.valid;
    if (!verdict) return refused("The token is good, but does not say what it has to.", validations);
    const claims = headersFrom(known.claims, parameters);
    const data = { verdict, explanation: "The token is good.", validations };
    return { verdict, data, ...(parameters.extractClaims.length > 0 && { headers: claims }) };
  },
  table: {
    passes: [
      {
        parameters: { jwks },
        ...bearing(good),
        data: {
          verdict: true,
          validations: {
            signatureValid: true,
            requiredClaims: { valid: true },
            claimValues: { valid: true },
            headerPayloadMatch: { valid: true },
          },
        },
      },
      {
        parameters: { jwks, algorithms: [], extractClaims: ["sub", "team_id", "none"], claimPrefix: "x-who-" },
        ...bearing(good),
        headers: { "x-who-sub": "u1", "x-who-team-id": "a,b" },
      },
      {
        parameters: {
          jwks,
          requiredClaims: ["sub"],
          headerPayloadMatch: ["tenant"],
          claimValues: {
            sub: { values: "u1" },
            scope: { values: ["write", "read"], matchType: "containsAll" },
            team_id: { values: ["b", "c"], matchType: "contains" },
            tenant: { values: "^t\\d$", matchType: "regex" },
          },
        },
        ...bearing(good),
      },
      { parameters: { jwks, maxTokenAge: "3d", headerKey: "X-Token" }, subject: { headers: { "x-token": old } } },
      { parameters: { jwks, clockTolerance: 90 }, ...bearing(expired) },
      {
        parameters: { jwksUri: "https://id.example/keys" },
        ...bearing(good),
        asks: [{ url: "https://id.example/keys", answer: jwks }],
      },
      {
        parameters: { introspectEndpoint: "https://id.example/introspect", requiredClaims: ["team"] },
        ...bearing("opaque"),
        asks: [
          {
            url: "https://id.example/introspect",
            headers: { "content-type": "application/x-www-form-urlencoded" },
            answer: { active: true, team: "a" },
          },
        ],
      },
      {
        parameters: { jwks, introspectEndpoint: "https://id.example/i", introspectContentType: "application/json" },
        ...bearing(good),
        asks: [{ body: { token: good }, answer: { active: true, exp: Date.UTC(2026, 0, 6) / 1000 } }],
      },
    ],
    fails: [
      { parameters: { jwks }, subject: {}, data: { explanation: "The request has no token in Authorization." } },
      { parameters: { jwks }, ...bearing("no.to.ken") },
      { parameters: { jwks }, ...bearing(`${good.slice(0, -8)}AAAAAAAA`) },
      { parameters: { jwks }, ...bearing(expired) },
      { parameters: { jwks }, ...bearing(old) },
      { parameters: { jwks }, ...bearing(otherKid) },
      { parameters: { jwks, algorithms: ["ES256"] }, ...bearing(good) },
      {
        parameters: { jwks, requiredClaims: ["email"], claimValues: { sub: { values: ["u2"] } } },
        ...bearing(good),
        data: {
          validations: {
            signatureValid: true,
            requiredClaims: { valid: false, missing: ["email"] },
            claimValues: { valid: false, failed: ["sub"] },
            headerPayloadMatch: { valid: true },
          },
        },
      },
      { parameters: { jwks, headerPayloadMatch: ["sub"] }, ...bearing(good) },
      {
        parameters: { jwks, claimValues: { scope: { values: ["read", "admin"], matchType: "containsAll" } } },
        ...bearing(good),
      },
      {
        parameters: { introspectEndpoint: "https://id.example/i" },
        ...bearing("opaque"),
        asks: [{ answer: { active: false } }],
      },
      {
        parameters: { introspectEndpoint: "https://id.example/i" },
        ...bearing("opaque"),
        asks: [{ answer: { active: true, exp: 1 } }],
      },
      { parameters: { jwksUri: "https://id.example/k" }, ...bearing(good), asks: [{ status: 500 }], error: "500" },
      { parameters: {}, ...bearing(good), error: "needs one of" },
    ],
  },
});

function bearing(token: string) {
  return { subject: { headers: { authorization: `Bearer ${token}` } } };
}
