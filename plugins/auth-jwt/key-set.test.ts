import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Algorithm, readKeySet } from "./key-set.ts";

const rsa = (bits: number) => generateKeyPairSync("rsa", { modulusLength: bits });
const strong = rsa(2048);
const jwk = strong.publicKey.export({ format: "jwk" });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
const weak = rsa(1024).publicKey.export({ format: "jwk" });

describe("a key set", () => {
  it.each<[string, object, readonly Algorithm[], readonly Algorithm[]]>([
    ["the configured ones", jwk, ["RS256", "PS256"], ["RS256", "PS256"]],
    ["of the configured ones its own", { ...jwk, alg: "PS256" }, ["RS256", "PS256"], ["PS256"]],
    ["none where its own is not configured", { ...jwk, alg: "RS512" }, ["RS256"], []],
    ["its own where none is configured", { ...ec, alg: "ES256" }, [], ["ES256"]],
    ["RS256 where neither says anything", jwk, [], ["RS256"]],
    ["none where the configured ones are of other kinds of keys", ec, ["RS256", "ES384"], []],
    ["none where its own is for a shared secret", { ...jwk, alg: "HS256" }, [], []],
  ])("lets a key check %s", (_, key, configured, expected) =>
    expect(readKeySet({ keys: [{ ...key, kid: "k" }] }, configured).get("k")?.[0]?.algorithms).toEqual(expected),
  );

  it("may have several keys of one id: each checks what no other one before it does", () => {
    const all = [ec, jwk, { ...jwk, alg: "RS512" }].map((key) => ({ ...key, kid: "k" }));
    const read = (configured: readonly Algorithm[]) =>
      readKeySet({ keys: all }, configured)
        .get("k")
        ?.map(({ algorithms }) => algorithms);
    expect(read(["RS256", "ES256"])).toEqual([["ES256"], ["RS256"]]);
    expect(read(["RS256"])).toEqual([[], ["RS256"]]);
    expect(read([])).toEqual([[], ["RS256"], ["RS512"]]);
  });

  it.each<[string, object]>([
    ["without an id", jwk],
    ["for encryption", { ...jwk, kid: "k", use: "enc" }],
    ["that is too short", { ...weak, kid: "k" }],
    ["of a kind nobody knows", { kty: "XYZ", kid: "k" }],
    ["that is broken", { kty: "RSA", kid: "k", n: 5 }],
  ])("leaves out a key %s", (_, key) => expect(readKeySet({ keys: [key] }, []).size).toBe(0));

  it.each<[string, unknown, string]>([
    ["a private key", { keys: [{ ...strong.privateKey.export({ format: "jwk" }), kid: "k" }] }, "keys[0]"],
    [
      "a shared secret",
      {
        keys: [
          { ...jwk, kid: "a" },
          { kty: "oct", k: "c2VjcmV0", kid: "b" },
        ],
      },
      "keys[1]",
    ],
    ["no list", { key: [] }, "not a key set"],
    ["nothing", null, "not a key set"],
  ])("is refused with %s", (_, json, reason) => {
    expect(() => readKeySet(json, [])).toThrow(reason);
    expect(() => readKeySet(json, [])).not.toThrow("c2VjcmV0");
  });
});
