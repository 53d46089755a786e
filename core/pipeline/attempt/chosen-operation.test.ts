import { expect, it } from "vitest";
import type { OperationSpec } from "../../model/operation-spec.ts";
import { chosenOperation } from "./chosen-operation.ts";

const spec = (format: string, more: Partial<OperationSpec> = {}): OperationSpec => ({ format, path: "/", ...more });
const isBig = (model: string) => model === "big";

it.each<[string, specs: readonly OperationSpec[], chosen: string]>([
  ["its own", [spec("first"), spec("base"), spec("own")], "own"],
  ["the one it is a dialect of", [spec("first"), spec("preferred"), spec("base")], "base"],
  ["the one it prefers", [spec("first"), spec("preferred"), spec("base", { serves: isBig })], "preferred"],
  ["the first", [spec("first"), spec("other")], "first"],
  ["the one that comes first for all", [spec("own"), spec("always", { firstFor: () => true })], "always"],
])("a client is answered in %s", (_, specs, chosen) => {
  const asked = { format: "own", dialectOf: "base", model: "small", preferred: "preferred" };
  expect(chosenOperation(specs, asked)?.format).toBe(chosen);
});
