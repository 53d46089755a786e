import { createPublicKey, type KeyObject } from "node:crypto";
import { z } from "../../core/index.ts";

/** Signatures that can be checked with a public key (RFC 7518): no shared secret ever signs for a user. */
export const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

export type Algorithm = (typeof algorithms)[number];

export interface SigningKey {
  readonly key: KeyObject;
  /** What its signatures may be made with. */
  readonly algorithms: readonly Algorithm[];
}

/** By `kid`, which keys of several kinds may share (RFC 7517, section 4.5): who signs says with which algorithm. */
export type KeySet = ReadonlyMap<string, readonly SigningKey[]>;

const keySet = z.looseObject({
  keys: z.array(
    z.looseObject({
      kty: z.string(),
      kid: z.string().optional(),
      use: z.string().optional(),
      alg: z.string().optional(),
    }),
  ),
});

type Jwk = z.output<typeof keySet>["keys"][number];

const fewestBits = 2048;

/**
 * The keys of a JWKS (RFC 7517) that sign, by their ids. Without a list of algorithms, a key's own counts, and RS256 where
 * it names none (the owner's document). Throws, with a reason that holds none of it, for what is no set or holds private
 * parts: a key that can sign is not handed to those who only check.
 */
export function readKeySet(json: unknown, allowed: readonly Algorithm[]): KeySet {
  const read = keySet.safeParse(json);
  if (!read.success) throw new Error("it is not a key set: an object with a list of keys, each with kty");
  const keys = new Map<string, readonly SigningKey[]>();
  for (const [at, jwk] of read.data.keys.entries()) {
    if ("d" in jwk || "k" in jwk) throw new Error(`keys[${at}] holds a secret part; give public keys only`);
    if (jwk.kid === undefined || (jwk.use !== undefined && jwk.use !== "sig")) continue;
    const key = publicKey(jwk);
    if (!key) continue;
    const others = keys.get(jwk.kid) ?? [];
    // Of two for the same algorithm the first one counts.
    const own = algorithmsOf(jwk, key, allowed).filter(
      (one) => !others.some(({ algorithms }) => algorithms.includes(one)),
    );
    if (own.length > 0 || others.length === 0) keys.set(jwk.kid, [...others, { key, algorithms: own }]);
  }
  return keys;
}

function algorithmsOf({ alg }: Jwk, key: KeyObject, allowed: readonly Algorithm[]): readonly Algorithm[] {
  const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType;
  const canBe = (one: Algorithm) => kinds[one] === kind;
  if (allowed.length > 0) return allowed.filter((one) => (alg === undefined || one === alg) && canBe(one));
  if (alg === undefined) return canBe("RS256") ? ["RS256"] : [];
  return algorithms.filter((one) => one === alg && canBe(one));
}

/** What kind of key an algorithm signs with, in OpenSSL's words: a type, or a curve (RFC 7518, section 3.1; RFC 8037). */
const kinds: Readonly<Record<Algorithm, string>> = {
  RS256: "rsa",
  RS384: "rsa",
  RS512: "rsa",
  PS256: "rsa",
  PS384: "rsa",
  PS512: "rsa",
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
  EdDSA: "ed25519",
};

/** Undefined for kinds of keys nobody knows here, and for those that are too weak. */
function publicKey(jwk: Jwk): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const bits = key.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < fewestBits ? undefined : key;
  } catch {
    return undefined;
  }
}
