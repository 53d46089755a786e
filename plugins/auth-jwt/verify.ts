import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import { errorMessage, GatewayError } from "../../core/index.ts";
import { type Claims, readClaims } from "./claims.ts";
import type { KeySource } from "./key-source.ts";

/** What a token has to be besides signed and not expired. */
export interface Expected {
  /** Accepted values of `iss`; none asks for nothing. */
  readonly issuers: readonly string[];
  /** Accepted values of `aud`, likewise. */
  readonly audiences: readonly string[];
  /** Seconds clocks may differ. */
  readonly clockTolerance: number;
}

/** Why a token does not let in. The caller is told no more than the status. */
export class Refusal extends Error {
  readonly code: "invalid_jwt" | "forbidden";
  /** Whether it will be refused for as long as it lives; else it may be good later. */
  readonly final: boolean;

  constructor(code: Refusal["code"], reason: string, final = true) {
    super(reason);
    this.code = code;
    this.final = final;
  }

  toGatewayError(): GatewayError {
    const message =
      this.code === "invalid_jwt" ? "The token is not valid, or has expired." : "This token may not be used here.";
    return new GatewayError(this.code, message, {}, { cause: this });
  }
}

export interface Verified {
  readonly claims: Claims;
  /** Of the set of keys it was checked with. */
  readonly generation: number;
}

/** What a token says, once its signature and its times were found right. Rejects with a `Refusal`, or as `keys` does. */
export async function verified(
  token: string,
  keys: KeySource,
  { issuers, audiences, clockTolerance }: Expected,
  now: number,
): Promise<Verified> {
  const { kid, alg } = keyOf(token);
  const found = await keys.find(kid);
  const { generation } = keys;
  const signing = found?.find(({ algorithms }) => algorithms.some((one) => one === alg)) ?? found?.[0];
  if (!signing) throw new Refusal("invalid_jwt", "Signing Key Not Found", false);
  try {
    const { payload } = await jwtVerify(token, signing.key, {
      algorithms: [...signing.algorithms],
      typ: "JWT",
      requiredClaims: ["exp"],
      clockTolerance,
      currentDate: new Date(now),
      ...(issuers.length > 0 && { issuer: [...issuers] }),
      ...(audiences.length > 0 && { audience: [...audiences] }),
    });
    const claims = readClaims(payload);
    if (claims.issuedAt !== undefined && claims.issuedAt > now / 1000 + clockTolerance)
      throw new Refusal("invalid_jwt", "it was issued in the future", false);
    return { claims, generation };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const early = error instanceof errors.JWTClaimValidationFailed && error.claim === "nbf";
    throw new Refusal("invalid_jwt", errorMessage(error), !early);
  }
}

function keyOf(token: string): { readonly kid: string; readonly alg: unknown } {
  try {
    const { kid, alg } = decodeProtectedHeader(token);
    if (typeof kid === "string" && kid !== "") return { kid, alg };
  } catch {
    // Said below.
  }
  throw new Refusal("invalid_jwt", "its header names no key (kid)");
}
