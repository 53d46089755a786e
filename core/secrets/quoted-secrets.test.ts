import { expect, it } from "vitest";
import { withoutQuoted } from "./quoted-secrets.ts";

it.each([
  ["as it is", 'No key abc/de"f here.'],
  ["in JSON", JSON.stringify({ message: 'No key abc/de"f here.' })],
  ["in JSON that escapes slashes", '{"message":"No key abc\\/de\\"f here."}'],
  ["in JSON that writes characters by their number", '{"message":"No key \\u0061bc\\/d\\u0065\\u0022f here."}'],
  ["in JSON with numbers in capitals", '{"message":"No key abc\\u002Fde\\u0022f here."}'],
  ["in an address", "No such place: /v1?key=abc%2Fde%22f"],
])("no secret is left where one is quoted %s", (_, text) => {
  const shown = withoutQuoted(text, ['abc/de"f']);
  expect(shown).toContain("***");
  expect(shown).not.toContain("abc");
});

it("leaves what is too short for a secret, and says the same where none is quoted", () => {
  expect(withoutQuoted("yes, abc", ["abc", "another"])).toBe("yes, abc");
});

it.each([
  ["several times", "say \\u0061bcd, \\\\abcd, ab\\u0063d\\n", "say ***, \\\\***, ***\\n"],
  ["where one begins with another", "abcdef, \\u0061bcdef, ab\\u0063d", "***, ***, ***"],
  ["where one begins in another", "\\u0061bcdef\\u0067h", "***"],
  ["with a line break", '{"message":"No x\\ny\\nz."}', '{"message":"No ***."}'],
])("nothing but secrets is taken from JSON: %s", (_, text, shown) => {
  expect(withoutQuoted(text, ["abcd", "abcdef", "efgh", "x\ny\nz"])).toBe(shown);
});
