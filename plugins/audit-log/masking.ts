import { isRecord, jsonOr, maskedSecret, maskedUrl } from "../../core/index.ts";
import { isSecretName, isSecretNumber, isSecretText, snakeCase } from "./secret-names.ts";

/** Characters of JSON that an entry keeps of a body, of headers, of a query. */
export const mostCharacters = 32 * 1024;

/** Levels of nesting that are looked into. */
const deepest = 32;

/**
 * The JSON of a value without its secrets: what its name, in snake or in camel case, or its own look says is one is masked,
 * in JSON and in URLs within texts too. What is longer than `most` characters is cut, at `…`, so that it stays JSON.
 */
export const maskedJson = (value: unknown, most = mostCharacters): string =>
  JSON.stringify(new Masking(most).of(value, { name: "", hidden: false, depth: 0 })) ?? "{}";

/** Where a value stands: under which name, in snake case, and whether a name above it says that it is a secret. */
interface Place {
  readonly name: string;
  readonly hidden: boolean;
  readonly depth: number;
}

class Masking {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  of(value: unknown, place: Place): unknown {
    if (place.depth > deepest) return "…";
    if (typeof value === "string") return place.hidden ? this.#cut(mask(value)) : this.#text(value, place);
    if (typeof value === "number") return this.#cut(isSecretNumber(place.name) ? "*******" : value);
    if (Array.isArray(value)) return this.#list(value, place);
    return isRecord(value) ? this.#members(value, place) : value;
  }

  #list(list: readonly unknown[], place: Place): unknown[] {
    const kept: unknown[] = [];
    for (const one of list) {
      if (this.#left <= 0) return [...kept, "…"];
      this.#left -= 1;
      kept.push(this.of(one, { ...place, depth: place.depth + 1 }));
    }
    return kept;
  }

  #members(record: Readonly<Record<string, unknown>>, { name: outer, hidden, depth }: Place): Record<string, unknown> {
    const kept: [string, unknown][] = [];
    const pairs = namesAField(record, outer);
    for (const [key, one] of Object.entries(record)) {
      this.#left -= key.length + 4;
      if (this.#left <= 0) {
        kept.push(["…", "…"]);
        break;
      }
      const name = snakeCase(key);
      const secret = pairs === undefined ? isSecretName(name) : name === "value" && isSecretName(snakeCase(pairs));
      kept.push([key, this.of(one, { name, hidden: hidden || secret || headerObject.test(outer), depth: depth + 1 })]);
    }
    return Object.fromEntries(kept);
  }

  #text(text: string, { depth }: Place): unknown {
    if (isSecretText(text)) return this.#cut(mask(text));
    if (/^\s*[[{"]/.test(text)) {
      const inner = jsonOr(text);
      if (inner !== undefined) return JSON.stringify(this.of(inner, { name: "", hidden: false, depth: depth + 1 }));
    }
    return this.#cut(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? withoutCredentials(text) : text);
  }

  #cut<Value extends string | number>(value: Value): Value | string {
    const text = String(value);
    const room = Math.max(this.#left, 0);
    this.#left -= text.length + 3;
    return text.length <= room ? value : `${text.slice(0, room)}…`;
  }
}

/** Objects of headers: any value in them may be a credential. */
const headerObject = /(?:^|_)headers$/;

/** A `key` that is the name of a field beside its `value`, as in conditions and lists of headers, and no secret itself. */
const namesAField = ({ key, value }: Readonly<Record<string, unknown>>, outer: string): string | undefined =>
  typeof key === "string" && (value !== undefined || outer === "group_by") ? key : undefined;

/** A secret may be shown by its ends when it is so long that they do not give it away. */
const shortest = 16;

const mask = (text: string): string => {
  if (/^(?:..)?\*{7}(?:..)?$/s.test(text)) return text;
  return text.length < shortest ? "*******" : maskedSecret(text);
};

/** A URL without the credentials in it. */
const withoutCredentials = (text: string): string =>
  maskedUrl(text, { mask, isSecret: (name) => isSecretName(snakeCase(name)) });
