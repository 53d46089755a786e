import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { SecretContent } from "./secret-content.ts";

describe("what a manager holds", () => {
  it.each<[string | Record<string, unknown>, string | undefined, string | RegExp]>([
    ["sk-1", undefined, "sk-1"],
    ['{"api_key":"sk-1","other":2}', "api_key", "sk-1"],
    ['{"api_key":"sk-1","other":2}', "other", "2"],
    ['{"api_key":"sk-1"}', undefined, '{"api_key":"sk-1"}'],
    [{ api_key: "sk-1" }, undefined, "sk-1"],
    [{ api_key: "sk-1", n: 1 }, undefined, '{"api_key":"sk-1","n":1}'],
    [{ account: { email: "a@b" } }, "account", '{"email":"a@b"}'],
    ["sk-1", "api_key", /no JSON object/],
    [{ api_key: "sk-1" }, "other", /no member "other"/],
    [{ api_key: null }, "api_key", /no member/],
    [{ api_key: "sk-1" }, "toString", /no member/],
    ["\n", undefined, /empty/],
    [{ api_key: "" }, undefined, /empty/],
    [{}, undefined, /no members/],
  ])("%j by %s", (content, key, value) => {
    const kept = new SecretContent(content);
    if (typeof value !== "string") expect(() => kept.value(key)).toThrow(value);
    else expect([kept.value(key), kept.value(key)]).toEqual([value, value]);
    expect(inspect(kept) + JSON.stringify(kept)).not.toContain("sk-1");
  });
});
