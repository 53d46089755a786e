import type { OptionDescription } from "../config/index.ts";

/** Rows as lines, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const lineOf = (row: readonly string[]) => row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ");
  return rows.map((row) => lineOf(row).trimEnd()).join("\n");
}

/** The options of a plugin or provider, for a terminal. */
export function optionLines(options: readonly OptionDescription[]): string {
  if (options.length === 0) return "  none";
  return columns(options.map((option) => [`  ${option.name}`, option.type, defaultOf(option), option.meaning]));
}

function defaultOf(option: OptionDescription): string {
  if (option.required) return "required";
  return option.default === undefined ? "-" : JSON.stringify(option.default);
}
