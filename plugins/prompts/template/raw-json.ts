import { endOfText, readJson } from "../../../core/index.ts";
import { because } from "./refusals.ts";
import { deepestJson, isDeeperThan } from "./values.ts";

/** Reads what a raw template was rendered to. Throws `prompt_render_invalid_json` with the place of the first mistake. */
export function parseRendered(text: string): unknown {
  const repaired = withoutStrayCommas(text);
  let value: unknown;
  try {
    value = readJson(repaired);
  } catch {
    throw invalid(`it breaks at character ${mistakeAt(repaired)}`);
  }
  if (isDeeperThan(deepestJson, value)) throw invalid(`it is nested more than ${deepestJson} deep`);
  return value;
}

const invalid = (what: string) =>
  because("prompt_render_invalid_json", `The rendered template is not valid JSON: ${what}.`, "variables");

interface Lexeme {
  /** A mark; `"` for a text, `a` for a number or a word, `?` for what is nothing of JSON. */
  readonly kind: string;
  readonly from: number;
  readonly to: number;
}

/** The marks, texts and words of JSON, as far as a text can be read as such. */
function* lexemes(text: string): Generator<Lexeme> {
  const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  for (let from = 0; from < text.length; ) {
    const mark = text.charAt(from);
    if (" \t\n\r".includes(mark)) from++;
    else {
      word.lastIndex = from;
      let lexeme: Lexeme;
      if ("[]{},:".includes(mark)) lexeme = { kind: mark, from, to: from + 1 };
      else if (mark === '"') lexeme = { kind: mark, from, to: endOfText(text, from) };
      else if (word.test(text)) lexeme = { kind: "a", from, to: word.lastIndex };
      else lexeme = { kind: "?", from, to: from + 1 };
      yield lexeme;
      from = lexeme.to;
    }
  }
}

/** Drops commas with nothing on one of their sides, which optional parts leave behind; those in texts stay. */
export function withoutStrayCommas(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let before = "";
  let comma: Lexeme | undefined;
  for (const lexeme of lexemes(text)) {
    if (comma) {
      if (before === "[" || before === "{" || "]},".includes(lexeme.kind)) {
        kept.push(text.slice(from, comma.from));
        from = comma.to;
      } else before = ",";
    }
    comma = lexeme.kind === "," ? lexeme : undefined;
    if (!comma) before = lexeme.kind;
  }
  return kept.length === 0 ? text : kept.join("") + text.slice(from);
}

/** Where a text that is not JSON stops being it, in characters from 0. */
export function mistakeAt(text: string): number {
  const open: string[] = [];
  let wants: Wants = "value";
  for (const { kind, from, to } of lexemes(text)) {
    const next: Wants | undefined =
      kind === '"' && !isText(text.slice(from, to)) ? undefined : after(kind, wants, open);
    if (!next) return from;
    wants = next;
  }
  return text.length;
}

/** What JSON wants next: `first` may also be the end of a list, `first name` that of an object. */
type Wants = "value" | "first" | "name" | "first name" | "colon" | "rest";

/** What is wanted after a lexeme; undefined where it may not stand there. */
function after(kind: string, wants: Wants, open: string[]): Wants | undefined {
  const within = open.at(-1);
  const isValue = wants === "value" || wants === "first";
  switch (kind) {
    case "[":
    case "{":
      if (!isValue) return undefined;
      open.push(kind);
      return kind === "[" ? "first" : "first name";
    case "]":
      return within === "[" && (wants === "first" || wants === "rest") ? closed(open) : undefined;
    case "}":
      return within === "{" && (wants === "first name" || wants === "rest") ? closed(open) : undefined;
    case ",":
      if (wants !== "rest" || !within) return undefined;
      return within === "[" ? "value" : "name";
    case ":":
      return wants === "colon" ? "value" : undefined;
    case '"':
      if (wants === "name" || wants === "first name") return "colon";
      return isValue ? "rest" : undefined;
    default:
      return kind === "a" && isValue ? "rest" : undefined;
  }
}

function closed(open: string[]): Wants {
  open.pop();
  return "rest";
}

function isText(literal: string): boolean {
  try {
    return typeof JSON.parse(literal) === "string";
  } catch {
    return false;
  }
}
