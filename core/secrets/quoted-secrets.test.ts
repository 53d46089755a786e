import { expect, it } from "vitest";
import { masked } from "./quoted-secrets.ts";

it.each([
  ["as it is", 'No key abc/de"f here.'],
  ["in JSON", JSON.stringify({ message: 'No key abc/de"f here.' })],
  ["in JSON that escapes slashes", '{"message":"No key abc\\/de\\"f here."}'],
  ["in JSON that writes characters by their number", '{"message":"No key \\u0061bc\\/d\\u0065\\u0022f here."}'],
  ["in JSON with numbers in capitals", '{"message":"No key abc\\u002Fde\\u0022f here."}'],
  ["in an address", "No such place: /v1?key=abc%2Fde%22f"],
])("no secret is left where one is quoted %s", (_, text) => {
  const shown = masked(text, ['abc/de"f']);
  expect(shown).toContain("***");
  expect(shown).not.toContain("abc");
});

it("leaves what is too short for a secret, and says the same where none is quoted", () => {
  expect(masked("yes, abc", ["abc", "another"])).toBe("yes, abc");
});
