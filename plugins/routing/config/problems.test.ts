import { expect, it } from "vitest";
import { z } from "../../../core/index.ts";
import { type Problem, readWith } from "./problems.ts";

const modes = z.enum(["simple", "semantic"]);
/** An object, or its `mode` alone. */
const short = z.preprocess(
  (given) => (typeof given === "string" ? { mode: given } : given),
  z.strictObject({ mode: modes }),
);

it.each<[unknown, Problem]>([
  ["exact", { path: ["cache", "mode"], message: "must be one of simple, semantic" }],
  [
    { mode: "semantics" },
    {
      path: ["cache", "mode"],
      message: 'must be one of simple, semantic; did you mean "semantic"?',
      found: 'the text "semantics"',
    },
  ],
  [{ mode: null }, { path: ["cache", "mode"], message: "must be one of simple, semantic", found: "null" }],
  [{}, { path: ["cache", "mode"], message: "required" }],
  [undefined, { path: ["cache"], message: "required" }],
  [5, { path: ["cache"], message: "must be an object", found: "a number" }],
])("tells what is wrong with %j, also where it was written short", (value, problem) => {
  const problems: Problem[] = [];
  expect(readWith(short, value, { path: ["cache"], saved: false, shown: true, problems })).toBeUndefined();
  expect(problems).toEqual([problem]);
});

const fields = z.object({
  attempts: z.int().min(0).optional(),
  key: z.string().optional(),
  account: z.record(z.string(), z.string()).optional(),
});

it.each<[string, object, boolean, string, string | undefined]>([
  ["a number that is too small", { attempts: -1 }, true, "must be 0 or more", "the number -1"],
  ["what is no number", { attempts: "two" }, true, "must be a number", 'the text "two"'],
  ["a number in place of a text, which may be a key", { key: 42 }, true, "must be text", "a number"],
  ["a text in place of a map, which may be an account", { account: "{private" }, true, "must be an object", "text"],
  ["what is long", { attempts: "x".repeat(80) }, true, "must be a number", "text"],
  ["not what a variable of the file may have said", { attempts: -1 }, false, "must be 0 or more", undefined],
])("names the value: %s", (_, value, shown, message, found) => {
  const problems: Problem[] = [];
  readWith(fields, value, { path: [], saved: false, shown, problems });
  expect(problems.map((problem) => [problem.message, problem.found])).toEqual([[message, found]]);
});
