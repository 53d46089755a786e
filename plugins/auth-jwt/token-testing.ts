import { createHmac, type KeyObject, generateKeyPairSync as pairOf, sign } from "node:crypto";
import type { Algorithm } from "./key-set.ts";

/** For the walk over tokens: who signs, what is published, and which token is good. */
const rsa = (bits: number) => pairOf("rsa", { modulusLength: bits });
export const pairs = {
  one: rsa(2048),
  two: rsa(2048),
  curve: pairOf("ec", { namedCurve: "P-256" }),
  wide: pairOf("ec", { namedCurve: "P-384" }),
  edwards: pairOf("ed25519"),
  weak: rsa(1024),
} as const;
export type PairName = keyof typeof pairs;

/** A key as its issuer publishes it. */
export interface Published {
  readonly pair: PairName;
  readonly kid: string | undefined;
  readonly alg: string | undefined;
  readonly use: string | undefined;
}

export const jwksOf = (published: readonly Published[], spoilt = false) => ({
  keys: published.map(({ pair, ...said }) => ({
    ...pairs[pair].publicKey.export({ format: "jwk" }),
    ...said,
    ...(spoilt && { d: "x" }),
  })),
});

export interface Drawn {
  readonly pair: PairName;
  readonly kid: string | undefined;
  /** What its header says it is signed with. */
  readonly alg: string;
  readonly typ: string | undefined;
  /** Seconds from now; undefined where the claim is missing. */
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
  readonly iat: number | undefined;
  readonly iss: string;
  readonly aud: string;
  readonly scope: string;
  /** The signature is another one's, or the claims are not those that were signed. */
  readonly spoilt: "no" | "signature" | "claims";
}

export interface Rules {
  readonly algorithms: readonly Algorithm[];
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
}

/** What signs with which kind of key, in the words of `node:crypto`. */
const kinds: Readonly<Record<string, readonly PairName[]>> = {
  RS256: ["one", "two", "weak"],
  RS512: ["one", "two", "weak"],
  PS256: ["one", "two", "weak"],
  ES256: ["curve"],
  ES384: ["wide"],
  EdDSA: ["edwards"],
};

const part = (value: object | string): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function signed(text: string, alg: string, { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }) {
  if (alg === "none") return "";
  // Who takes a public key for a shared secret would find this good.
  if (alg === "HS256")
    return createHmac("sha256", publicKey.export({ type: "spki", format: "pem" }))
      .update(text)
      .digest("base64url");
  const digest = alg === "EdDSA" || privateKey.asymmetricKeyType === "ed25519" ? undefined : `sha${alg.slice(2)}`;
  const padding = alg.startsWith("PS") ? { padding: 6, saltLength: 32 } : {};
  return sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363", ...padding }).toString(
    "base64url",
  );
}

/** `now` in Unix seconds. `mark` keeps two tokens that say the same apart. */
export function tokenOf(drawn: Drawn, organisation: string, now: number, mark: number): string {
  const { pair, kid, alg, typ, exp, nbf, iat, iss, aud, scope, spoilt } = drawn;
  const at = (seconds: number | undefined) => (seconds === undefined ? undefined : now + seconds);
  const claims = {
    organisation_id: organisation,
    exp: at(exp),
    nbf: at(nbf),
    iat: at(iat),
    iss,
    aud,
    scope,
    jti: mark,
  };
  const text = `${part({ alg, typ, kid })}.${part(claims)}`;
  if (spoilt === "signature") return `${text}.${signed(`${text}.`, alg, pairs[pair])}`;
  const signature = signed(text, alg, pairs[pair]);
  return spoilt === "no"
    ? `${text}.${signature}`
    : `${part({ alg, typ, kid })}.${part({ ...claims, scope: "logs.list" })}.${signature}`;
}

/** Whether a key of a set is one that this token may be signed with. */
export function signs(published: readonly Published[], drawn: Drawn, { algorithms }: Rules): boolean {
  const usable = published.filter(
    ({ pair, kid, use }) => kid !== undefined && pair !== "weak" && (use ?? "sig") === "sig",
  );
  const may = (one: Published): boolean => {
    const own = algorithms.length > 0 ? (one.alg ?? drawn.alg) : (one.alg ?? "RS256");
    const isAllowed = algorithms.length === 0 || algorithms.some((allowed) => allowed === drawn.alg);
    return own === drawn.alg && isAllowed && (kinds[drawn.alg] ?? []).includes(one.pair);
  };
  // The first one of an id that may sign so is the one.
  return usable.filter(({ kid }) => kid === drawn.kid).find(may)?.pair === drawn.pair;
}

/** Whether it is good where its signature is; `elapsed` seconds after it was made. */
export function isGood(drawn: Drawn, { issuers, audiences }: Rules, elapsed: number): boolean {
  const { kid, typ, exp, nbf, iat, iss, aud, scope, spoilt, pair, alg } = drawn;
  const tolerance = 60;
  return (
    spoilt === "no" &&
    kid !== undefined &&
    typ === "JWT" &&
    exp !== undefined &&
    exp - elapsed > -tolerance &&
    (nbf === undefined || nbf - elapsed <= tolerance) &&
    (iat === undefined || iat - elapsed <= tolerance) &&
    (issuers.length === 0 || issuers.includes(iss)) &&
    (audiences.length === 0 || audiences.includes(aud)) &&
    scope !== "" &&
    (kinds[alg] ?? []).includes(pair)
  );
}

export const isSignable = ({ alg, pair }: Pick<Drawn, "alg" | "pair">): boolean =>
  alg === "none" || alg === "HS256" || (kinds[alg] ?? []).includes(pair);
