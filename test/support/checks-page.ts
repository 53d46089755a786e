import { optionsTable } from "../../core/config/index.ts";
import type { Check, CheckRow } from "../../core/index.ts";
import { builtInChecks } from "../../plugins/checks/built-in.ts";
import { aligned } from "./option-tables.ts";

const start = "<!-- checks:start -->";
const end = "<!-- checks:end -->";

/** docs/checks.md with what the checks say of themselves. */
export async function withChecks(page: string): Promise<string> {
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/checks.md has no place for the checks: ${start} and ${end}`);
  const checks = await builtInChecks();
  return `${page.slice(0, from + start.length)}\n\n${checks.map(sectionOf).join("\n")}\n${page.slice(to)}`;
}

function sectionOf(check: Check): string {
  const { id, summary, targets, parameters, aliases = [] } = check;
  const side = targets?.length === 1 ? (targets[0] === "request" ? " Requests only." : " Answers only.") : "";
  const also = aliases.length > 0 ? ` Also \`${aliases.join("`, `")}\`.` : "";
  const takes = Object.keys(parameters.shape).length > 0 ? `\n${aligned(shortened(optionsTable(parameters)))}\n` : "";
  const examples = examplesOf(check);
  return `### ${id}\n\n${summary}${side}${also}\n${takes}${examples === "" ? "" : `\n${examples}\n`}`;
}

const longestCell = 120;

/** Lists of a hundred words say no more than their beginning does. */
const shortened = (table: string): string =>
  table
    .replace(/`[^`|]{80,}`/g, (cell) => `\`${cell.slice(1, 60)}…\``)
    .replace(/[^|]{400,}/g, (cell) => `${cell.slice(0, longestCell)}… `);

const longest = 120;

/** The first text of its table that passes, the first that fails, and the first that changes. */
function examplesOf({ table }: Check): string {
  const { passes = [], fails = [] } = table ?? {};
  const told = [
    ["passes", passes.find((row) => row.becomes === undefined && isTold(row))],
    ["fails", fails.find(isTold)],
    ["changes", [...passes, ...fails].find((row) => typeof row.becomes === "string" && isTold(row))],
  ] as const;
  return told.flatMap(([what, row]) => (row ? [`- ${what}: ${lineOf(row)}`] : [])).join("\n");
}

/** What somebody else answers tells nothing of a text. */
const isTold = (row: CheckRow): boolean =>
  row.asks === undefined &&
  row.calls === undefined &&
  row.text !== undefined &&
  row.error === undefined &&
  row.text !== "" &&
  lineOf(row).length <= longest;

function lineOf({ text = "", parameters = {}, becomes }: CheckRow): string {
  const takes = Object.keys(parameters).length > 0 ? ` with \`${oneLine(JSON.stringify(parameters))}\`` : "";
  const after = typeof becomes === "string" ? `, into \`${oneLine(becomes)}\`` : "";
  return `\`${oneLine(text)}\`${takes}${after}`;
}

/** Backquotes would end the code they stand in. */
const oneLine = (text: string): string => text.replaceAll("\n", "⏎").replaceAll("`", "'");
