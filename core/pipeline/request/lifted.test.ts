import { expect, it } from "vitest";
import { lifted } from "./lifted.ts";

const lift = ({ inside }: Readonly<Record<string, unknown>>) => (typeof inside === "string" ? inside : undefined);
const deep = "[".repeat(20_000) + "]".repeat(20_000);

it.each([
  ["as it was written", ' {"inside" : "m", "n": 1.0}', '{"model":"m","inside" : "m", "n": 1.0}'],
  ["however deep it is", `{"inside":"m","deep":${deep}}`, `{"model":"m","inside":"m","deep":${deep}}`],
])("a model that is said inside is put in front of the rest, %s", (_, body, said) => {
  expect(lifted(Buffer.from(body), lift).toString()).toBe(said);
});

it.each(['{"model":null,"inside":"m"}', '{"inside":7}', "{}", "[]", "7"])("nothing changes in %s", (body) => {
  const bytes = Buffer.from(body);
  expect(lifted(bytes, lift)).toBe(bytes);
});
