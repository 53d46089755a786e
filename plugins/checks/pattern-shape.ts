/** A regular expression, as far as its reach and its cost depend on it. */
export type PatternNode =
  /** One character; a wide one may take two UTF-16 units. */
  | { readonly kind: "character"; readonly wide: boolean }
  /** `^`, `$`, `\b`: looks at the characters beside it. */
  | { readonly kind: "edge" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly of: PatternNode; readonly least: number; readonly most: number }
  /** Looks ahead or behind. */
  | { readonly kind: "look"; readonly of: PatternNode };

const token =
  /\\u\{[0-9a-fA-F]+\}|\\[pP]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?<[A-Za-z_$][\w$]*>|\(\?<?[=!]|\(\?:|\(\?|\{\d+(?:,\d*)?\}\??|[*+?]\??|[\s\S]/g;

/** The place after the character at one: from between two halves of a character, a pattern with the flag u would step back. */
export const afterCharacter = (text: string, at: number): number => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

class Doubt extends Error {}

export interface PatternShape {
  readonly node: PatternNode;
  /** What stands for one character in it, each: `\d`, `[a-z]`, `x`. */
  readonly characters: ReadonlySet<string>;
}

/** The shape of a pattern in JavaScript syntax; undefined where it is none, or in doubt. */
export function shapeOf(source: string, unicode: boolean): PatternShape | undefined {
  try {
    const reader = new Reader(source.match(token) ?? [], unicode);
    const node = reader.choice();
    return reader.next === undefined ? { node, characters: reader.characters } : undefined;
  } catch (error) {
    if (error instanceof Doubt) return undefined;
    throw error;
  }
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #unicode: boolean;
  readonly characters = new Set<string>();
  #at = 0;

  constructor(tokens: readonly string[], unicode: boolean) {
    this.#tokens = tokens;
    this.#unicode = unicode;
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.next === "|") {
      this.#at++;
      branches.push(this.#sequence());
    }
    const [only] = branches;
    return branches.length === 1 && only ? only : { kind: "choice", branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.next !== undefined && this.next !== "|" && this.next !== ")") parts.push(this.#repeated());
    return { kind: "sequence", parts };
  }

  #repeated(): PatternNode {
    const of = this.#atom();
    const bounds = boundsOf(this.next ?? "");
    if (!bounds) return of;
    if (of.kind === "edge" || of.kind === "look") throw new Doubt();
    this.#at++;
    return { kind: "repeat", of, ...bounds };
  }

  #atom(): PatternNode {
    const text = this.next ?? "";
    this.#at++;
    if (text === "^" || text === "$" || text === "\\b" || text === "\\B") return { kind: "edge" };
    if (text.startsWith("(")) return this.#group(text);
    const character = characterOf(text, this.#unicode);
    this.characters.add(text);
    return character;
  }

  #group(opening: string): PatternNode {
    if (opening === "(?") throw new Doubt();
    const of = this.choice();
    if (this.next !== ")") throw new Doubt();
    this.#at++;
    return /^\(\?<?[=!]$/.test(opening) ? { kind: "look", of } : of;
  }
}

function boundsOf(text: string): { least: number; most: number } | undefined {
  const [, least, upTo, most] = /^\{(\d+)(,(\d*))?\}\??$/.exec(text) ?? [];
  if (least !== undefined) {
    if (upTo === undefined) return { least: Number(least), most: Number(least) };
    return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY };
  }
  return { "*": star, "+": plus, "?": maybe }[text.charAt(0)];
}
const star = { least: 0, most: Number.POSITIVE_INFINITY };
const plus = { least: 1, most: Number.POSITIVE_INFINITY };
const maybe = { least: 0, most: 1 };

/** Escapes that stand for one character, or for one of a few, of which none is outside the basic plane. */
const narrowEscape = /^\\(?:[dwsntrvf0]|[^A-Za-z0-9]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z])$/;

function characterOf(text: string, unicode: boolean): PatternNode {
  if (text.startsWith("[")) {
    if (text.length === 1) throw new Doubt();
    return { kind: "character", wide: /^\[\^|\\[DWSpPuk]|[^ -~]/.test(text) };
  }
  if (text.startsWith("\\")) {
    if (narrowEscape.test(text)) return { kind: "character", wide: false };
    if (/^\\[DWS]$/.test(text) || (unicode && /^\\(?:[pP]\{|u\{)/.test(text))) return { kind: "character", wide: true };
    throw new Doubt();
  }
  if (boundsOf(text)) throw new Doubt();
  return { kind: "character", wide: text === "." };
}

export interface Width {
  readonly least: number;
  readonly most: number;
}

/** UTF-16 units that a match can have. */
export function widthOf(node: PatternNode): Width {
  switch (node.kind) {
    case "character":
      return { least: 1, most: node.wide ? 2 : 1 };
    case "edge":
    case "look":
      return { least: 0, most: 0 };
    case "sequence":
      return node.parts.map(widthOf).reduce(sum, { least: 0, most: 0 });
    case "choice": {
      const widths = node.branches.map(widthOf);
      return {
        least: Math.min(...widths.map(({ least }) => least)),
        most: Math.max(...widths.map(({ most }) => most)),
      };
    }
    case "repeat": {
      const { least, most } = widthOf(node.of);
      return { least: least * node.least, most: most === 0 ? 0 : most * node.most };
    }
  }
}

const sum = (a: Width, b: Width): Width => ({ least: a.least + b.least, most: a.most + b.most });

/** Characters beside a match that decide whether it is one. */
export function contextOf(node: PatternNode): number {
  switch (node.kind) {
    case "character":
      return 0;
    case "edge":
      return 1;
    case "look":
      return widthOf(node.of).most + contextOf(node.of);
    case "sequence":
      return Math.max(0, ...node.parts.map(contextOf));
    case "choice":
      return Math.max(...node.branches.map(contextOf));
    case "repeat":
      return contextOf(node.of);
  }
}

/**
 * The most steps that an engine which backtracks takes from one place in a text, or more than `limit`. `rest` is what
 * everything behind the node costs. A repetition without a bound costs what it has to have when it is the last thing:
 * nothing can fail behind it, and the characters it takes are not looked at again.
 */
export function costOf(node: PatternNode, rest: number, limit: number): number {
  if (rest > limit) return rest;
  switch (node.kind) {
    case "character":
    case "edge":
      return 1 + rest;
    case "look":
      return costOf(node.of, 1, limit) + rest;
    case "sequence":
      return node.parts.reduceRight((behind, part) => costOf(part, behind, limit), rest);
    case "choice":
      return node.branches.reduce((cost, branch) => cost + 1 + costOf(branch, rest, limit), 0);
    case "repeat":
      return repeatCost(node, rest, limit);
  }
}

function repeatCost(node: PatternNode & { kind: "repeat" }, rest: number, limit: number): number {
  const { of, least, most } = node;
  const last = most === Number.POSITIVE_INFINITY;
  if (last && !(rest === 0 && of.kind === "character")) return Number.POSITIVE_INFINITY;
  let cost = last ? 1 : rest;
  for (let count = (last ? least : most) - 1; count >= 0 && cost <= limit; count--)
    cost = 1 + costOf(of, cost, limit) + (count >= least ? rest : 0);
  return cost;
}
