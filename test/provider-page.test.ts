import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operationFields, providerFields } from "../core/provider-kit/checked-input.ts";
import { root } from "./support/root.ts";

const page = readFileSync(join(root, "docs/writing-a-provider.md"), "utf8");

/** The names in the first column of the table below a heading; some rows have two. */
function toldBelow(heading: string): string[] {
  const [, section = ""] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, "m").exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`[^|]+?) *\|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)).sort();
}

it("has every field of a provider, and nothing else", () => {
  expect(toldBelow("Fields of `defineProvider`")).toEqual(Object.keys(providerFields).sort());
});

it("has every field of an operation, and nothing else", () => {
  expect(toldBelow("Operations")).toEqual(Object.keys(operationFields).sort());
});

/** The newest language a text or a list of settings needs: ES2023, ES2024.String. */
const newest = (text: string): number => Math.max(...[...text.matchAll(/ES(20\d\d)/g)].map(([, year]) => Number(year)));

it("names settings for the compiler that the sources pass with, which are checked along", () => {
  const [, target = ""] =
    /"target": "(ES\d+)"/.exec(readFileSync(join(root, "docs/writing-a-plugin.md"), "utf8")) ?? [];
  expect(newest(target)).toBeGreaterThanOrEqual(newest(readFileSync(join(root, "tsconfig.json"), "utf8")));
});
