import { describe, expect, it } from "vitest";
import { isSecretName, maskedValue, sanitisedUrl, withoutSecrets } from "./redaction.ts";

describe("a secret's name", () => {
  it.each([
    ...["authorization", "Proxy-Authorization", "cookie", "set-cookie", "x-api-key", "api-key", "apikey", "apiKey"],
    ...["x-gateway-api-key", "x-goog-api-key", "x-amz-security-token", "x-gateway-aws-secret-access-key"],
    ...["client_secret", "clientSecret", "awsAccessKeyId", "session_token", "sessionToken", "password", "newPassword"],
    ...["vertexServiceAccountJson", "private_key", "access_token", "refreshToken", "x-gateway-signature"],
  ])("is %s", (name) => expect(isSecretName(name)).toBe(true));

  it.each([
    ...["max_tokens", "total_tokens", "x-ratelimit-remaining-tokens", "tokenizer", "keyboard", "key_id", "virtual_key"],
    ...["content-type", "secretary", "author", "x-request-id", "name", "x-gateway-config"],
  ])("is not %s", (name) => expect(isSecretName(name)).toBe(false));
});

it.each([
  ["sk-abcdefghijklmnopqr", "sk********pqr"],
  ["123456789012", "12********012"],
  ["12345678901", "********"],
  ["", "********"],
])("masks %s", (value, shown) => expect(maskedValue(value)).toBe(shown));

it.each<[string, unknown, unknown]>([
  ["texts, however deep", { a: [{ apiKey: "abcdefghijklmn" }] }, { a: [{ apiKey: "ab********lmn" }] }],
  [
    "what is below such a name",
    { credentials: { a: "x", b: ["y"] } },
    { credentials: { a: "********", b: ["********"] } },
  ],
  ["a key", { key: "sk-abcdefghijkl", name: "n" }, { key: "sk********jkl", name: "n" }],
  ["no key of a pair", { key: "workspace_id", value: "ws" }, { key: "workspace_id", value: "ws" }],
  ["the value of a pair", { key: "api_key", value: "short" }, { key: "api_key", value: "********" }],
  ["no numbers", { token: 5, secret: null }, { token: 5, secret: null }],
  ["nothing else", ["a", 1, null, { b: true }], ["a", 1, null, { b: true }]],
])("hides %s", (_, value, shown) => {
  const before = JSON.stringify(value);
  expect(withoutSecrets(value)).toEqual(shown);
  expect(JSON.stringify(value)).toBe(before);
});

it.each([
  ["https://a.example/v1/x?b=1&c=%20", "https://a.example/v1/x?b=1&c=%20"],
  ["https://user:pass@a.example/x", "https://a.example/x"],
  ["https://a.example/x@y", "https://a.example/x@y"],
  ["https://a.example/x?key=s", "https://a.example/x"],
  ["https://a.example/x?a=1&key=s&alt=sse", "https://a.example/x?a=1&alt=sse"],
  ["https://a.example/x?X-Amz-Signature=s&x-amz-credential=c&sig=d#part", "https://a.example/x#part"],
  [
    "https://a.example/x?code=s&x-api-key=t&subscription-key=u&hmac=v&SAS=w&jwt=x&client_secret=y&x%2Dkey=z",
    "https://a.example/x",
  ],
  [
    "/v1/files?after=file-a1b2c3d4e5f6a7b8c9d0&pageToken=a&%zz=b",
    "/v1/files?after=file-a1b2c3d4e5f6a7b8c9d0&pageToken=a&%zz=b",
  ],
  ["https://a.example/x?X-Goog-Credential=a&X-Goog-Date=b", "https://a.example/x"],
  ["/v1/chat/completions?access_token=t&monkey=1", "/v1/chat/completions?monkey=1"],
])("keeps of %s only %s", (url, shown) => expect(sanitisedUrl(url)).toBe(shown));
