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
  [{ mode: "exact" }, { path: ["cache", "mode"], message: "must be one of simple, semantic" }],
  [{}, { path: ["cache", "mode"], message: "required" }],
  [undefined, { path: ["cache"], message: "required" }],
  [5, { path: ["cache"], message: "must be an object" }],
])("tells what is wrong with %j, also where it was written short", (value, problem) => {
  const problems: Problem[] = [];
  expect(readWith(short, value, { path: ["cache"], saved: false, problems })).toBeUndefined();
  expect(problems).toEqual([problem]);
});
