import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/**
 * A block of code in a document. The words behind its language say what to do with it: a runner (`run`, `curl`, …) and
 * `file=NAME`, what it is to be written to first.
 */
export interface Snippet {
  readonly line: number;
  readonly language: string;
  readonly runner: string | undefined;
  readonly file: string | undefined;
  readonly text: string;
  /** What it is said to print: the block behind it, when that is an `output` block. */
  readonly output: Output | undefined;
}

export interface Output {
  readonly language: string;
  readonly text: string;
}

/** The blocks of a document below the folder of the product, in order. */
export function snippetsIn(document: string): Snippet[] {
  const source = readFileSync(join(root, document), "utf8");
  const blocks = [...source.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: info = "", 2: text = "" }) => {
      const [language = "", ...words] = info.trim().split(/\s+/);
      const named = words.find((word) => word.startsWith("file="));
      const runner = words.find((word) => word !== named);
      const line = source.slice(0, index).split("\n").length;
      return { line, language, runner, file: named?.slice("file=".length), text };
    },
  );
  return blocks.flatMap((block, at) => {
    if (block.runner === "output") return [];
    const next = blocks[at + 1];
    return [{ ...block, output: next?.runner === "output" ? next : undefined }];
  });
}

/** The rows of the tables of a document whose first column is called so: the code in that column. */
export function tableIn(document: string, firstColumn: string): string[] {
  const source = readFileSync(join(root, document), "utf8");
  const head = new RegExp(`^\\| ${firstColumn} +\\|`);
  const tables = source.split(/\n\n+/).filter((part) => head.test(part));
  return tables.flatMap((table) => [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name));
}

/** A line `…` stands for any number of lines. */
export function matchesOutput({ language, text }: Output, printed: string): boolean {
  if (language === "json") return canonical(printed) === canonical(text);
  const pattern = text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "…" ? "[\\s\\S]*" : `${line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}[ \t]*\n`))
    .join("");
  return new RegExp(`^\\n*${pattern}\\n*$`).test(`${printed.trimEnd()}\n`);
}

const canonical = (text: string): string => JSON.stringify(sorted(JSON.parse(text)));

/** The order of keys means nothing in JSON. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};
