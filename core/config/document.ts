import {
  type Alias,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
} from "yaml";
import type { Environment } from "../environment.ts";
import { type Path, type Report, reportFor } from "./mistakes.ts";
import { mask, resolveReferences, unmask } from "./references.ts";

/** Where a value stands in the file and how it came to be. Offsets count characters. */
export interface Place {
  /** Shorter than what was asked for when that is not in the file. */
  readonly path: Path;
  readonly keyAt: number;
  readonly valueAt: number;
  /** Absent when the value holds no reference. */
  readonly reference?: {
    readonly variables: readonly string[];
    /** The text may be read as a number, a boolean or a list when that is what the schema wants. */
    readonly flexible: boolean;
    /** Could not be resolved: whatever else is said about this value would mislead. */
    readonly failed: boolean;
  };
}

/** The file as plain data, with references resolved. */
export interface ConfigDocument {
  readonly root: unknown;
  readonly report: Report;
  /** Another one, for what is found once the file is read. */
  newReport(): Report;
  /** Where the value at this path stands, or else the nearest thing around it. */
  place(path: Path): Place;
  /** Whether a reference is what stands at this path, or inside of it. */
  hasReferences(path: Path): boolean;
  /** Paths of values whose references or aliases lead to nothing. */
  readonly failed: readonly Path[];
  /** Paths of texts that look as if they were meant to be references: `$NAME`. They stay as they are. */
  readonly shellLike: readonly Path[];
}

/** Reads YAML or JSON. Throws a ConfigError when the text is neither: what follows would be guesses. */
export function readDocument(file: string, source: string, environment: Environment): ConfigDocument {
  const lines = new LineCounter();
  // Lenient about keys, since the walk below tells of twice-written keys with both their lines.
  const document = parseDocument(mask(source), { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const newReport = () =>
    reportFor(file, (offset) => {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    });
  const report = newReport();
  for (const { pos, code, message } of [...document.errors, ...document.warnings]) {
    report.add([], pos[0], plain(code, message));
  }
  report.settle();
  const walk = new Walk({
    json: file.endsWith(".json"),
    source,
    environment,
    report,
    lines,
    resolveAlias: (alias) => alias.resolve(document),
  });
  const root = walk.value(document.contents, [], 0);
  return {
    ...{ root, report, newReport, failed: walk.failed, shellLike: walk.shellLike },
    place: (path) => walk.place(path),
    hasReferences: (path) => walk.hasReferences(path),
  };
}

/** Without the piece of source some messages end with: it could be a secret. */
function plain(code: ErrorCode, message: string): string {
  if (code === "MULTIPLE_DOCS") return "the file holds several documents; keep one";
  if (code === "BAD_DQ_ESCAPE") return "Invalid escape sequence in double quotes";
  return unmask(code === "UNEXPECTED_TOKEN" ? message.replace(/: [\s\S]*$/, "") : message);
}

/** An empty reference: the option counts as not written, so that its default or `optional()` holds. */
const absent = Symbol("absent");

const mostAliases = 1000;

interface Surroundings {
  readonly json: boolean;
  readonly source: string;
  readonly environment: Environment;
  readonly report: Report;
  readonly lines: LineCounter;
  readonly resolveAlias: (alias: Alias) => Node | undefined;
}

class Walk {
  readonly failed: Path[] = [];
  readonly shellLike: Path[] = [];
  readonly #places = new Map<string, Place>();
  readonly #open = new Set<Node>();
  #aliases = 0;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  place(path: Path): Place {
    for (let length = path.length; length >= 0; length--) {
      const place = this.#places.get(idOf(path.slice(0, length)));
      if (place) return place;
    }
    return { path: [], keyAt: 0, valueAt: 0 };
  }

  hasReferences(path: Path): boolean {
    const own = idOf(path);
    for (const [id, { reference }] of this.#places)
      if (reference && (id === own || id.startsWith(`${own}\u0000`))) return true;
    return false;
  }

  value(node: unknown, path: Path, keyAt: number): unknown {
    const valueAt = startOf(node) ?? keyAt;
    this.#places.set(idOf(path), { path, keyAt, valueAt });
    if (isScalar(node)) return typeof node.value === "string" ? this.#text(node, path, keyAt) : node.value;
    if (isAlias(node)) return this.#alias(node, path, keyAt);
    if (isMap(node)) return this.#map(node.items, path);
    if (!isSeq(node)) return null;
    const list: unknown[] = [];
    for (const item of node.items) {
      const value = this.value(item, [...path, list.length], startOf(item) ?? valueAt);
      if (value !== absent) list.push(value);
    }
    return list;
  }

  #map(pairs: readonly Pair[], path: Path): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    const seen = new Map<string, number>();
    for (const { key, value } of pairs) {
      const at = startOf(key) ?? startOf(value) ?? this.place(path).valueAt;
      const name = this.#key(key, path, at);
      if (name === undefined) continue;
      const first = seen.get(name);
      if (first !== undefined) {
        const { line } = this.#around.lines.linePos(first);
        this.#around.report.add([...path, name], at, `is written twice, first in line ${line}; keep one`);
        continue;
      }
      seen.set(name, at);
      const read = this.value(value, [...path, name], at);
      if (read !== absent) map[name] = read;
    }
    return map;
  }

  #key(key: unknown, path: Path, at: number): string | undefined {
    const value = isScalar(key) ? key.value : undefined;
    const name = typeof value === "string" ? unmask(value) : value === undefined || value === null ? "" : String(value);
    if (name === "" || name === "__proto__") {
      this.#around.report.add(path, at, "a key must be a name");
      return undefined;
    }
    // Nobody's option: YAML has had no such key since its version 1.2.
    if (name === "<<") {
      this.#around.report.add(
        path,
        at,
        'merging with "<<" is not supported; write the options out, or give an alias as the whole value',
      );
      return undefined;
    }
    if (!name.includes("${")) return name;
    this.#around.report.add(path, at, "a reference can stand in a value, not in a key");
    return undefined;
  }

  #alias(alias: Alias, path: Path, keyAt: number): unknown {
    const target = this.#around.resolveAlias(alias);
    if (!target || this.#open.has(target) || ++this.#aliases > mostAliases) {
      this.#around.report.add(
        path,
        startOf(alias) ?? keyAt,
        `the alias *${unmask(alias.source)} does not lead to a value`,
      );
      this.failed.push(path);
      return null;
    }
    this.#open.add(target);
    const value = this.value(target, path, keyAt);
    this.#open.delete(target);
    return value;
  }

  #text(node: Scalar, path: Path, keyAt: number): unknown {
    const text = unmask(String(node.value));
    const valueAt = startOf(node) ?? keyAt;
    let failed = false;
    const resolved = resolveReferences(text, this.#around.environment, (index, message) => {
      failed = true;
      this.#around.report.add(path, this.#offsetIn(node, text, index), message);
    });
    if (resolved.references === 0) {
      if (/^\$[A-Z][A-Z0-9_]*$/.test(text)) this.shellLike.push(path);
      return resolved.text;
    }
    if (failed) this.failed.push(path);
    // JSON has no plain texts: there, a reference in quotes is the only way to write a number by reference.
    const flexible = this.#around.json || node.type === "PLAIN";
    const reference = { variables: resolved.variables, flexible, failed };
    this.#places.set(idOf(path), { path, keyAt, valueAt, reference });
    return resolved.text === "" && !failed ? absent : resolved.text;
  }

  /** Where a reference of the text stands in the file; quoting and folding make the two differ. */
  #offsetIn(node: Scalar, text: string, index: number): number {
    const [start, end] = node.range ?? [0, 0];
    const count = text.slice(0, index).split("${").length;
    let at = start - 1;
    for (let found = 0; found < count; found++) {
      at = this.#around.source.indexOf("${", at + 1);
      if (at < 0 || at >= end) return start;
    }
    return at;
  }
}

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isAlias(node) || isMap(node) || isSeq(node) ? node.range?.[0] : undefined;

const idOf = (path: Path) => path.join("\u0000");
