import { expect, it } from "vitest";
import { keyName } from "./key-names.ts";

const named = (name: string) => {
  const bytes = Buffer.from(`"${name}"`);
  return keyName(bytes, 1, bytes.length - 1);
};

it("gives each name its text, the first time and the next", () => {
  for (const name of ["model", "moder", "", "m", "größe", "名前", "n".repeat(64), "n".repeat(65), "n".repeat(1000)])
    for (let time = 0; time < 3; time++) expect(named(name)).toBe(name);
});

it("goes on giving texts when it has seen more names than it keeps", () => {
  for (let index = 0; index < 3000; index++) expect(named(`key ${index}`)).toBe(`key ${index}`);
  for (let index = 0; index < 3000; index++)
    expect(named(`${index}th ${"x".repeat(index % 50)}`)).toMatch(`${index}th `);
  expect(named("key 7")).toBe("key 7");
  expect(named("key 2999")).toBe("key 2999");
});

it("does not hold on to the bytes of a request", () => {
  const bytes = Buffer.from('"held"');
  expect(keyName(bytes, 1, 5)).toBe("held");
  bytes.fill("x");
  expect(named("held")).toBe("held");
});
