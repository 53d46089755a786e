import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { moduleLoader, optionsTable } from "../../core/config/index.ts";
import { serverSchema } from "../../core/config/server-settings.ts";
import { defineProvider } from "../../core/provider-kit/index.ts";
import { root } from "./root.ts";

/** A document with a table of options in it, and the table as the schema says it. */
export interface OptionTable {
  /** Below the folder of the product. */
  readonly file: string;
  readonly table: string;
}

const start = "<!-- options:start -->";
const end = "<!-- options:end -->";

/** Every README of a plugin, and the other pages whose tables are made from a schema. */
export async function optionTables(): Promise<OptionTable[]> {
  const loader = moduleLoader();
  const plugins = await Promise.all(
    loader.knownPlugins().map(async (name) => ({
      file: `plugins/${name}/README.md`,
      table: optionsTable((await loader.plugin(name, root)).options),
    })),
  );
  const { options: simulator } = await loader.provider("simulator", root);
  return [
    ...plugins,
    { file: "providers/simulator/README.md", table: optionsTable(ownOptions(simulator)) },
    { file: "docs/writing-a-provider.md", table: optionsTable(commonOptions) },
    { file: "config/README.md", table: optionsTable(serverSchema) },
  ];
}

/** What a provider that says nothing of options has all the same. */
const commonOptions = defineProvider({ name: "any", summary: "Any.", operations: {} }).options;

const ownOptions = ({ shape }: z.ZodObject): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => !(name in commonOptions.shape))));

/** The text of a document, and what it would be with its table renewed. */
export function renewed({ file, table }: OptionTable): { before: string; after: string } {
  const before = readFileSync(join(root, file), "utf8");
  const from = before.indexOf(start);
  const to = before.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} has no place for its options: ${start} and ${end}`);
  return { before, after: `${before.slice(0, from + start.length)}\n\n${aligned(table)}\n\n${before.slice(to)}` };
}

/** A markdown table as the formatter wants it: every column as wide as its widest cell. */
export function aligned(table: string): string {
  const rows = table.split("\n").map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  if (rows.length < 2) return table;
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(3, ...rows.map((row) => (rule.test(row[at] ?? "") ? 0 : (row[at] ?? "").length))),
  );
  const lineOf = (row: readonly string[]) =>
    row.map((cell, at) => (rule.test(cell) ? "-".repeat(widths[at] ?? 3) : cell.padEnd(widths[at] ?? 0)));
  return rows.map((row) => `| ${lineOf(row).join(" | ")} |`).join("\n");
}

const rule = /^-+$/;

export function writeTables(tables: readonly OptionTable[]): string[] {
  return tables.flatMap((one) => {
    const { before, after } = renewed(one);
    if (before === after) return [];
    writeFileSync(join(root, one.file), after);
    return [one.file];
  });
}
