import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskedJson, mostCharacters } from "./masking.ts";

const long = "0123456789abcdefXYZ";
const ends = "01*******YZ";

describe("a value without its secrets", () => {
  it.each<[string, unknown, unknown]>([
    ["a key", { key: long }, { key: ends }],
    ["a short one", { password: "hunter2!" }, { password: "*******" }],
    ["a number that is one", { password: 12345678, max_tokens: 500 }, { password: "*******", max_tokens: 500 }],
    ["snake case", { client_secret: long, aws_access_key_id: long }, { client_secret: ends, aws_access_key_id: ends }],
    ["camel case", { clientSecret: long, apiKey: long }, { clientSecret: ends, apiKey: ends }],
    ["headers", { "x-api-key": long, Authorization: long }, { "x-api-key": ends, Authorization: ends }],
    [
      "whatever is below one",
      { credentials: { user: long, list: [long] } },
      { credentials: { user: ends, list: [ends] } },
    ],
    ["headers of any name", { custom_headers: { "x-tenant": long } }, { custom_headers: { "x-tenant": ends } }],
    ["JSON in a text", { config: JSON.stringify({ api_key: long }) }, { config: JSON.stringify({ api_key: ends }) }],
    ["a bare list in a text", { a: `["Bearer ${long}"]` }, { a: '["Be*******YZ"]' }],
    [
      "a URL",
      { url: "https://u:p@h.example/x?sig=abc&a=b" },
      { url: "https://*******:*******@h.example/x?sig=*******&a=b" },
    ],
    [
      "keys in queries and paths that make the address",
      [{ webhookURL: "https://hooks.slack.com/services/T012/B034/abcdefgh" }, { url: "https://h.example/x?code=abc" }],
      [{ webhookURL: "https://hooks.slack.com/services/T0*******gh" }, { url: "https://h.example/x?code=*******" }],
    ],
    ["a token by its look", { note: "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln" }, { note: "ey*******ln" }],
    ["a private key", { note: "-----BEGIN PRIVATE KEY-----\nMII" }, { note: "--*******II" }],
    ["a mask, which stays", { key: ends }, { key: ends }],
    [
      "a condition, whose key is a name",
      { conditions: [{ key: "api_key", value: "*" }] },
      { conditions: [{ key: "api_key", value: "*******" }] },
    ],
    ["a pair of another name", [{ key: "team", value: "a" }], [{ key: "team", value: "a" }]],
    [
      "ids",
      { secret_reference_id: "r-1", api_key_id: "k-1", name: "token" },
      { secret_reference_id: "r-1", api_key_id: "k-1", name: "token" },
    ],
    ["null, true and lists", { key: null, a: [true, 1.5, "x"] }, { key: null, a: [true, 1.5, "x"] }],
    ["a text", "plain", "plain"],
  ])("masks %s", (_, value, expected) => {
    expect(JSON.parse(maskedJson(value))).toEqual(expected);
  });

  it("never shows a secret, wherever it stands", () => {
    const secret = "do-not-show-this-secret";
    const names = fc.constantFrom(
      "key",
      "apiKey",
      "client_secret",
      "Authorization",
      "x-token",
      "PASSWORD",
      "access_key_id",
    );
    const holder = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        names.map((name) => ({ [name]: secret })),
        names.map((name) => ({ [name]: [secret, { deep: secret }] })),
        fc.record({ a: tie("value"), b: fc.string() }),
        fc.array(tie("value"), { maxLength: 3 }),
        tie("value").map((inner) => JSON.stringify(inner)),
      ),
    })).value;
    fc.assert(
      fc.property(holder, (value) => {
        expect(maskedJson(value)).not.toContain(secret);
      }),
    );
  });

  it("is JSON of a bounded length, whatever it is", () => {
    const bound = 500;
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const shown = maskedJson(JSON.parse(text), bound);
        expect(() => JSON.parse(shown)).not.toThrow();
        // Characters of control are six each in JSON.
        expect(shown.length).toBeLessThan(bound * 8);
      }),
    );
    expect(maskedJson({ a: "x".repeat(100_000) }).length).toBeLessThan(mostCharacters + 100);
    expect(maskedJson({ list: Array.from({ length: 100_000 }, () => "x") }).length).toBeLessThan(mostCharacters * 2);
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(maskedJson(JSON.parse(deep))).toContain("…");
  });
});
