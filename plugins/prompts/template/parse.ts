import { GatewayError } from "../../../core/index.ts";
import { shortened } from "./refusals.ts";
import { type Complain, scan, type TagToken } from "./scan.ts";

/** A template, read once and rendered often. */
export interface Template {
  readonly nodes: readonly Node[];
  /** References to saved partials, as written. */
  readonly partials: ReadonlySet<string>;
  /** Names of partials the caller supplies. */
  readonly supplied: ReadonlySet<string>;
}

export type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: Name }
  | { readonly kind: "section"; readonly name: Name; readonly inverted: boolean; readonly nodes: readonly Node[] }
  | { readonly kind: "partial"; readonly ref: string }
  | { readonly kind: "supplied"; readonly name: string };

/** What a tag looks up. */
export interface Name {
  readonly text: string;
  /** The steps of a dotted name; absent on others. */
  readonly path?: readonly string[];
  /** It names something that is no variable, whatever the caller sends. */
  readonly reserved?: true;
}

export interface ParseOptions {
  /** Where the template stands, for messages: `string`. */
  readonly place: string;
  /** Tags that are none stay in the text, instead of being a mistake. */
  readonly lenient?: boolean;
  /** A word of its own for mistakes: `prompt_variables_invalid`. */
  readonly reason?: string;
}

/** Sections inside sections. */
const deepestSection = 50;

/** Reads a template. Throws `record_invalid`, naming line and column, where it is none. */
export function parse(text: string, options: ParseOptions): Template {
  if (options.lenient) return parseLeniently(text);
  return read(text, none, (message, at) => {
    throw mistake(text, at, message, options);
  });
}

/** Reads a text once more without the tags that turned out to be none, which stay in it as they are written. */
function parseLeniently(text: string): Template {
  const wrong = new Set<number>();
  for (let rounds = 0; rounds < 4; rounds++) {
    const before = wrong.size;
    const template = read(text, wrong, (_message, at, tag = at) => wrong.add(tag));
    if (wrong.size === before) return template;
  }
  return { nodes: [{ kind: "text", text }], partials: new Set(), supplied: new Set() };
}

const none: ReadonlySet<number> = new Set();

function read(text: string, wrong: ReadonlySet<number>, complain: Complain): Template {
  const reading = new Reading(complain);
  for (const token of scan(text, wrong, complain)) {
    if (token.kind === "tag") reading.tag(token);
    else if (token.text !== "") reading.add(token);
  }
  return reading.end();
}

function mistake(text: string, at: number, message: string, { place, reason }: ParseOptions): GatewayError {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  return new GatewayError("record_invalid", shortened(`${place}: line ${line}, column ${column}: ${message}`), {
    param: place,
    ...(reason !== undefined && { reason }),
  });
}

/** A template that is being read: the sections that are open, outermost first. */
class Reading {
  readonly #complain: Complain;
  readonly #nodes: Node[] = [];
  readonly #open: { readonly tag: TagToken; readonly nodes: Node[] }[] = [];
  readonly #partials = new Set<string>();
  readonly #supplied = new Set<string>();

  constructor(complain: Complain) {
    this.#complain = complain;
  }

  add(node: Node): void {
    (this.#open.at(-1)?.nodes ?? this.#nodes).push(node);
  }

  tag(tag: TagToken): void {
    const { sigil, name, at } = tag;
    switch (sigil) {
      case "":
        return this.add({ kind: "variable", name: nameOf(name) });
      case "#":
      case "^":
        if (this.#open.length < deepestSection) return void this.#open.push({ tag, nodes: [] });
        return this.#complain(`sections are nested more than ${deepestSection} deep`, at);
      case "/":
        return this.#close(tag);
      case ">":
        this.#partials.add(name);
        return this.add({ kind: "partial", ref: name });
      case ">>":
        this.#supplied.add(name);
        return this.add({ kind: "supplied", name });
      case "!":
        return;
    }
  }

  end(): Template {
    for (const { tag } of this.#open) this.#complain(`the section "${tag.name}" is never closed`, tag.at);
    return { nodes: this.#nodes, partials: this.#partials, supplied: this.#supplied };
  }

  #close({ name, at }: TagToken): void {
    if (!this.#open.some(({ tag }) => tag.name === name)) {
      const open = this.#open.at(-1);
      const instead = open ? `"${open.tag.name}" is open` : "no section is open";
      return this.#complain(`"${name}" is closed where ${instead}`, at);
    }
    for (let last = this.#open.pop(); last; last = this.#open.pop()) {
      const { tag, nodes } = last;
      if (tag.name === name)
        return this.add({ kind: "section", name: nameOf(name), inverted: tag.sigil === "^", nodes });
      this.#complain(`"${name}" is closed where "${tag.name}" is open`, at, tag.at);
    }
  }
}

/** Names of what every object has, which no variable is called by. */
const reserved: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

function nameOf(text: string): Name {
  const path = text === "." || !text.includes(".") ? undefined : text.split(".");
  const isReserved = reserved.has(text) || path?.some((step) => reserved.has(step));
  return { text, ...(path && { path }), ...(isReserved && { reserved: true }) };
}
