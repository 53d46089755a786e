import { expect, it } from "vitest";
import { processMark, workersMark } from "./process-mark.ts";
import { Secret } from "./secret.ts";

const options = (key: string) => ({ baseUrl: "https://a.example", list: [{ apiKey: new Secret(key) }], n: 1 });

it("is the same for what says the same, and another for another secret, however deep", () => {
  expect(processMark(options("one"))).toBe(processMark(options("one")));
  expect(processMark(options("one"))).not.toBe(processMark(options("two")));
  expect(processMark(undefined)).not.toBe(processMark(null));
});

it("shows nothing of it", () => {
  expect(processMark({ key: new Secret("one") })).toMatch(/^[\w+/]{43}=$/);
});

it("that workers tell each other is none where there is no secret, and not that of the process", () => {
  expect(workersMark({ n: [1], region: "r" })).toBeUndefined();
  expect(workersMark(options("one"))).toBe(workersMark(options("one")));
  expect(workersMark(options("one"))).not.toBe(workersMark(options("two")));
  expect(workersMark(options("one"))).not.toBe(processMark(options("one")));
});
