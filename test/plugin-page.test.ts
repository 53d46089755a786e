import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { definePlugin, type PluginContext, Stage, z } from "../core/index.ts";
import { startGateway } from "../core/test-kit/index.ts";
import { root } from "./support/root.ts";
import { tableIn } from "./support/snippets.ts";

const page = "docs/writing-a-plugin.md";

/** The names in the first column, each without what it is called with. */
const told = (firstColumn: string): string[] => tableIn(page, firstColumn).map((cell) => cell.replace(/\(.*$/, ""));

async function contextOf(): Promise<PluginContext> {
  let seen: PluginContext | undefined;
  const plugin = definePlugin({
    name: "curious",
    summary: "Keeps what it is set up with.",
    options: z.strictObject({}),
    setup: (context) => {
      seen = context;
    },
  });
  const gateway = await startGateway({ plugins: [plugin], config: { plugins: { curious: {} } } });
  onTestFinished(gateway.close);
  if (!seen) throw new Error("the plugin was not set up");
  return seen;
}

it("has what setup is given, all of it and nothing else", async () => {
  // Two of them share a row.
  expect([...told("name"), "endpoints"].sort()).toEqual(Object.keys(await contextOf()).sort());
});

it("has every hook, in the order they ring", async () => {
  const { hooks } = await contextOf();
  expect(told("hook")).toEqual(Object.keys(hooks));
});

it("has what a gateway of a test has", async () => {
  const gateway = await startGateway({ config: { plugins: {} } });
  onTestFinished(gateway.close);
  const named = told("the gateway has").map((name) => name.replace(".NAME", ""));
  expect(named.sort()).toEqual(Object.keys(gateway).sort());
});

it("has every stage, in order", () => {
  const [, section = ""] = /^## Stages\n([\s\S]*?)^## /m.exec(readFileSync(join(root, page), "utf8")) ?? [];
  const [sentence = ""] = section.split(". Taps of");
  expect([...sentence.matchAll(/`(?:Stage\.)?(\w+)`/g)].map(([, name]) => name)).toEqual(Object.keys(Stage));
});
