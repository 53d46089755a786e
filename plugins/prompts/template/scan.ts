/** A piece of a template as it is written. */
export type Token = TextToken | TagToken;

export interface TextToken {
  readonly kind: "text";
  readonly text: string;
}

export interface TagToken {
  readonly kind: "tag";
  readonly sigil: Sigil;
  /** What it names; of a comment, nothing. */
  readonly name: string;
  /** As it is written, with its braces. */
  readonly source: string;
  /** Where it begins, in UTF-16 units. */
  readonly at: number;
}

/** `{{name}}` has none; `{{{name}}}` and `{{&name}}` are the same thing, since nothing is escaped. */
export type Sigil = "" | "#" | "^" | "/" | ">" | ">>" | "!";

/** Told of a mistake and where it shows; `tag` is where the tag begins that is none, if that is elsewhere. */
export type Complain = (message: string, at: number, tag?: number) => void;

/**
 * Takes a template apart. Lines on which a tag stands alone are gone (prompts.md section 2.1). What begins where `wrong`
 * says is no tag but text.
 */
export const scan = (text: string, wrong: ReadonlySet<number>, complain: Complain): Token[] =>
  withoutStandaloneLines([...tokens(text, wrong, complain)]);

function* tokens(text: string, wrong: ReadonlySet<number>, complain: Complain): Generator<Token> {
  let written = 0;
  let close = -1;
  for (let open = text.indexOf("{{"); open >= 0; ) {
    if (close < open + 2) close = text.indexOf("}}", open + 2);
    if (close < 0) {
      if (!wrong.has(open)) complain('"{{" is never closed', open);
      break;
    }
    const tag = tagAt(text, open, close);
    if (typeof tag === "object" && wrong.has(tag.at)) open = text.indexOf("{{", tag.at + tag.source.length);
    else if (typeof tag === "object") {
      if (tag.at > written) yield { kind: "text", text: text.slice(written, tag.at) };
      yield tag;
      written = tag.at + tag.source.length;
      open = text.indexOf("{{", written);
    } else {
      if (tag !== undefined && !wrong.has(open)) complain(tag, open);
      open = text.indexOf("{{", open + 1);
    }
  }
  if (written < text.length) yield { kind: "text", text: text.slice(written) };
}

const comment = /\s*!/y;

/** The tag that begins at `open`; a text says what is wrong with it, undefined that the brace is one of the text's own. */
function tagAt(text: string, open: number, close: number): TagToken | string | undefined {
  comment.lastIndex = open + 2;
  if (comment.test(text)) return { kind: "tag", sigil: "!", name: "", source: text.slice(open, close + 2), at: open };
  const brace = text.indexOf("{", open + 2);
  if (brace === open + 2) return tripleAt(text, open, close);
  if (brace >= 0 && brace < close) return "a tag holds another one";
  const inner = text.slice(open + 2, close);
  const [, sigil = "", rest = ""] = /^\s*(>>|[#^/>&=]?)(.*)$/s.exec(inner) ?? [];
  const name = rest.trim();
  if (sigil === "=") return "other delimiters than {{ and }} are not supported";
  if (name === "") return "a tag names nothing";
  if (name.includes("}")) return `"${name}" is no name: it has a brace in it`;
  return {
    kind: "tag",
    sigil: sigil === "&" ? "" : (sigil as Sigil),
    name,
    source: text.slice(open, close + 2),
    at: open,
  };
}

/** `{{{name}}}`. A third brace before any other tag is text: `{{{#a}}"b":1{{/a}}}`. */
function tripleAt(text: string, open: number, close: number): TagToken | undefined {
  const brace = text.indexOf("{", open + 3);
  if (text[close + 2] !== "}" || (brace >= 0 && brace < close)) return undefined;
  const name = text.slice(open + 3, close).trim();
  if (name === "" || /^[#^/>&=!]|\}/.test(name)) return undefined;
  return { kind: "tag", sigil: "", name, source: text.slice(open, close + 3), at: open };
}

const standsAlone: ReadonlySet<Sigil> = new Set(["#", "^", "/", ">", ">>", "!"]);

function withoutStandaloneLines(tokens: readonly Token[]): Token[] {
  const alone = tokens.map(
    (token, at) => token.kind === "tag" && standsAlone.has(token.sigil) && begins(tokens, at) && ends(tokens, at),
  );
  return tokens.map((token, at) => {
    if (token.kind === "tag") return token;
    const { text } = token;
    const from = alone[at - 1] ? Math.max(lineEnd(text), 0) || text.length : 0;
    const to = alone[at + 1] ? Math.max(text.lastIndexOf("\n") + 1, from) : text.length;
    return from === 0 && to === text.length ? token : { kind: "text", text: text.slice(from, to) };
  });
}

/** Whether only blanks stand before a tag on its line. */
function begins(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before) return true;
  if (before.kind === "tag") return false;
  const line = before.text.lastIndexOf("\n");
  return (line >= 0 || at === 1) && /^[ \t]*$/.test(before.text.slice(line + 1));
}

/** Whether only blanks stand behind it. */
function ends(tokens: readonly Token[], at: number): boolean {
  const after = tokens[at + 1];
  if (!after) return true;
  if (after.kind === "tag") return false;
  return lineEnd(after.text) >= 0 || (at === tokens.length - 2 && /^[ \t]*$/.test(after.text));
}

/** Behind the line break that a text begins with, blanks aside; -1 where it begins with anything else. */
const lineEnd = (text: string): number => /^[ \t]*\r?\n/.exec(text)?.[0].length ?? -1;
