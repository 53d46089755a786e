import { describe, expect, it } from "vitest";
import { Secret } from "../secrets/secret.ts";
import { configSecrets, isSensitiveName, maskedCredential, veiled, veiledWithin } from "./secrets.ts";

const key = "sk-0123456789/abc+def";

describe("what is secret in a config", () => {
  it("is every Secret, however deep, and every header a provider sends", () => {
    const foreign = { reveal: () => "of another copy" };
    const found = configSecrets({
      plugins: [{ options: { keys: [{ key: new Secret("deep down") }], map: new Map([["a", new Secret("mapped")]]) } }],
      providers: [{ options: { apiKey: foreign, headers: { "x-team": "header-value", "x-env": "prod" } } }],
    } as never);
    expect(found.sort()).toEqual(["deep down", "header-value", "mapped", "of another copy"]);
  });
});

describe("hiding secrets in a text", () => {
  it.each([
    ["as it is", key],
    ["in a URL", encodeURIComponent(key)],
    ["in base64", Buffer.from(key).toString("base64")],
    ["in base64 for URLs", Buffer.from(key).toString("base64url")],
  ])("hides it %s", (_, spelling) => {
    expect(veiled(`before ${spelling} after`, [key])).toBe("before ***+def after");
  });

  it("hides one with quotes in it inside JSON", () => {
    expect(veiled(JSON.stringify({ text: 'a"b"c"d' }), ['a"b"c"d'])).toBe('{"text":"***"}');
  });

  it("hides the longer of two when one is part of the other", () => {
    expect(veiled("abcd-efgh", ["abcd", "abcd-efgh"])).toBe("***");
  });

  it("leaves alone what is too short to be told from words", () => {
    expect(veiled("a cat", ["a", "cat"])).toBe("a cat");
  });

  it("hides it anywhere inside a value", () => {
    expect(veiledWithin({ list: [{ text: `x ${key}` }, 3, null] }, [key])).toEqual({
      list: [{ text: "x ***+def" }, 3, null],
    });
  });
});

it.each([
  ["Bearer sk-0123456789abcdef", "Bearer ***cdef"],
  ["Bearer short", "Bearer ***"],
  ["sk-0123456789abcdef", "***cdef"],
  ["short", "***"],
  ["Basic dXNlcjpwYXNzd29yZA==", "Basic ***"],
  ["AWS4-HMAC-SHA256 Credential=AKIA/20250101, Signature=00ff00ff", "AWS4-HMAC-SHA256 ***00ff"],
])("shows of the credential %j no more than %j", (value, shown) => {
  expect(maskedCredential(value)).toBe(shown);
});

it.each(["authorization", "x-api-key", "api-key", "cookie", "x-goog-api-key", "x-amz-security-token", "key", "sig"])(
  "takes %s for a credential",
  (name) => expect(isSensitiveName(name)).toBe(true),
);

it.each(["content-type", "x-monkey", "user-agent", "x-keyboard"])("does not take %s for a credential", (name) =>
  expect(isSensitiveName(name)).toBe(false),
);
