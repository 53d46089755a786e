import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from "jose";
import { CheckError, type CheckTools, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import type { JwtParameters } from "./parameters.ts";

/** What a token says, by name. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a token says, once whoever issued it stands by it. */
export interface Verified {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
}

/** Why a token is not good. */
export class Refusal extends Error {}

/** Rejects with a Refusal, or with CheckError where nobody could say. */
export async function verified(token: string, parameters: JwtParameters, tools: CheckTools): Promise<Verified> {
  const { jwks, jwksUri, introspectEndpoint } = parameters;
  const signed = jwks || jwksUri !== undefined ? await bySignature(token, parameters, tools) : undefined;
  if (introspectEndpoint === undefined) return signed ?? raiseNoSource();
  const said = await introspected(token, introspectEndpoint, parameters, tools);
  return { header: signed?.header ?? headerOf(token), claims: { ...(signed?.claims ?? claimsOf(token)), ...said } };
}

function raiseNoSource(): never {
  throw new CheckError("Nothing says how tokens are checked: give jwks, jwksUri or introspectEndpoint.");
}

async function bySignature(token: string, parameters: JwtParameters, tools: CheckTools): Promise<Verified> {
  const { jwks, jwksUri } = parameters;
  if (jwks) return signedBy(token, jwks as JSONWebKeySet, parameters, tools);
  if (jwksUri === undefined) return raiseNoSource();
  const kept = tools.recall<JSONWebKeySet>(`jwks:${jwksUri}`);
  const keys = kept ?? (await fetchKeys(jwksUri, parameters, tools));
  try {
    return await signedBy(token, keys, parameters, tools);
  } catch (error) {
    const unknownKey = error instanceof Refusal && error.cause instanceof errors.JWKSNoMatchingKey;
    if (!kept || !unknownKey || tools.recall(`asked:${jwksUri}`)) throw error;
    return signedBy(token, await fetchKeys(jwksUri, parameters, tools), parameters, tools);
  }
}

/** Seconds between two questions because of a key nobody knows. */
const pause = 30;
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

async function fetchKeys(url: string, { cacheMaxAge }: JwtParameters, tools: CheckTools): Promise<JSONWebKeySet> {
  const { json } = await tools.ask({ method: "GET", url, headers: tools.forwarded });
  const keys = answerAs(keySet, json) as JSONWebKeySet;
  tools.remember(`jwks:${url}`, keys, cacheMaxAge);
  tools.remember(`asked:${url}`, true, pause);
  return keys;
}

async function signedBy(
  token: string,
  keys: JSONWebKeySet,
  parameters: JwtParameters,
  tools: CheckTools,
): Promise<Verified> {
  const { algorithms, clockTolerance, maxTokenAge } = parameters;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      algorithms: algorithms.length > 0 ? [...algorithms] : ["RS256"],
      clockTolerance,
      maxTokenAge,
      currentDate: new Date(tools.now()),
    });
    return { header: { ...protectedHeader }, claims: payload };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new Refusal(error.message, { cause: error });
    throw error;
  }
}

const active = z.looseObject({ active: z.boolean(), exp: z.number().optional(), nbf: z.number().optional() });
type Said = z.output<typeof active>;

async function introspected(token: string, url: string, parameters: JwtParameters, tools: CheckTools): Promise<Claims> {
  const { introspectContentType, introspectCacheMaxAge = 0, clockTolerance } = parameters;
  // Not by the token itself: what is remembered shall not let anybody in.
  const key = `introspected:${createHash("sha256").update(`${url} ${token}`).digest("base64url")}`;
  const kept = tools.recall<Said>(key);
  const said = kept ?? answerAs(active, (await tools.ask(question(token, url, introspectContentType, tools))).json);
  const now = tools.now() / 1000;
  if (!said.active) throw new Refusal("its issuer says that it is not active");
  if (said.exp !== undefined && said.exp + clockTolerance <= now) throw new Refusal("it has expired");
  if (said.nbf !== undefined && said.nbf - clockTolerance > now) throw new Refusal("it is not valid yet");
  const seconds = Math.min(introspectCacheMaxAge, (said.exp ?? Number.POSITIVE_INFINITY) - now);
  if (!kept && seconds > 0) tools.remember(key, said, seconds);
  const { active: _, ...claims } = said;
  return claims;
}

function question(token: string, url: string, contentType: string, { forwarded }: CheckTools) {
  const json = contentType.toLowerCase().startsWith("application/json");
  const headers = { ...forwarded, "content-type": contentType };
  return { url, headers, body: json ? { token } : new URLSearchParams({ token }).toString() };
}

/** Of a token that its issuer vouches for; nothing of one that only the issuer can read. */
function headerOf(token: string): Record<string, unknown> {
  try {
    return { ...decodeProtectedHeader(token) };
  } catch {
    return {};
  }
}

function claimsOf(token: string): Claims {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}
