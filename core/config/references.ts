import type { Environment } from "../environment.ts";
import { errorMessage } from "../errors/error-message.ts";

/** `${NAME}` or `${NAME:-default}` in a text. A default may hold references itself. */
interface Reference {
  readonly start: number;
  /** After the closing bracket. */
  readonly end: number;
  /** What stands between the brackets. */
  readonly inner: string;
  /** Written `$${…}`: not a reference but those characters. */
  readonly escaped: boolean;
}

/** The next `${` with its bracket on the same line; `inner` is absent when there is no such bracket. */
function nextReference(text: string, from: number): Reference | { start: number; inner?: never } | undefined {
  const start = text.indexOf("${", from);
  if (start < 0) return undefined;
  let depth = 0;
  for (let at = start + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0)
      return { start, end: at + 1, inner: text.slice(start + 2, at), escaped: start > from && text[start - 1] === "$" };
  }
  return { start };
}

/** Characters that mean something to YAML, and noncharacters of Unicode that stand in for them. */
const masked = "{}[],:#";
const firstMask = 0xfdd0;
const maskOf = (character: string) => {
  const index = masked.indexOf(character);
  return index < 0 ? character : String.fromCharCode(firstMask + index);
};

/**
 * Hides references from the YAML parser, character for character so that positions hold. Without it
 * `{ apiKey: ${KEY:-} }` is a syntax error, as a plain text in a flow map must not contain brackets.
 */
export function mask(source: string): string {
  let result = "";
  let at = 0;
  for (let found = nextReference(source, at); found; found = nextReference(source, at)) {
    const end = found.inner === undefined ? found.start + 2 : found.end;
    const text = source.slice(found.start, end);
    result += source.slice(at, found.start) + (found.inner === undefined ? text : [...text].map(maskOf).join(""));
    at = end;
  }
  return result + source.slice(at);
}

export const unmask = (text: string): string =>
  text.replace(/[\ufdd0-\ufdd6]/g, (character) => masked[character.charCodeAt(0) - firstMask] ?? character);

/** A text with its references replaced. */
export interface Resolved {
  readonly text: string;
  /** How many references there were, escaped ones not counted. */
  readonly references: number;
  /** The variables whose value is part of the text. */
  readonly variables: readonly string[];
}

/** Tells of a reference that cannot be resolved; `index` is where it starts in the text. */
export type Complain = (index: number, message: string) => void;

export function resolveReferences(text: string, environment: Environment, complain: Complain): Resolved {
  const variables: string[] = [];
  let references = 0;
  let result = "";
  let at = 0;
  for (let found = nextReference(text, at); found; found = nextReference(text, at)) {
    if (found.inner === undefined) {
      complain(found.start, unclosed);
      return { text, references: references + 1, variables };
    }
    if (found.escaped) {
      result += text.slice(at, found.start - 1) + text.slice(found.start, found.end);
    } else {
      references++;
      const resolved = resolveOne(found.inner, environment, (message) => complain(found.start, message));
      variables.push(...resolved.variables);
      result += text.slice(at, found.start) + resolved.text;
    }
    at = found.end;
  }
  return { text: result + text.slice(at), references, variables };
}

const shape = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;
const literally = `write "$\${" for the characters themselves`;
const unclosed = `"\${" begins a reference that has no "}" on its line; ${literally}`;
const misshapen = `"\${" begins a reference that is neither \${NAME} nor \${NAME:-default}; ${literally}`;

function resolveOne(inner: string, environment: Environment, complain: (message: string) => void) {
  const nothing = { text: "", variables: [] };
  const [, name, otherwise] = shape.exec(inner) ?? [];
  if (name === undefined) {
    complain(misshapen);
    return nothing;
  }
  try {
    const value = environment.value(name);
    if (value !== undefined) return { text: value, variables: [name] };
  } catch (cause) {
    complain(errorMessage(cause));
    return nothing;
  }
  if (otherwise !== undefined) return resolveReferences(otherwise, environment, (_, message) => complain(message));
  const state = environment.isSet(name) ? "is empty, or the file it names is" : "is not set";
  complain(`the environment variable ${name} ${state}; set ${name}, or write \${${name}:-default}`);
  return nothing;
}
