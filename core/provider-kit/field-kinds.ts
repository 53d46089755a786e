import type { Framing } from "../model/framing.ts";

/** What a field of a definition may hold, told in words where something else stands there. */
export interface FieldKind {
  readonly words: string;
  fits(value: unknown): boolean;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isMap = (value: unknown): value is object => isObject(value) && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isBounds = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((bound) => typeof bound === "number") &&
  Number(value[0]) <= Number(value[1]);
const mapOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isMap(value) && Object.values(value).every(fits);

/** A rewrite without its texts would never run, or always. */
const isRewrite = (value: unknown): boolean => {
  const { when, apply } = isMap(value) ? (value as { when?: unknown; apply?: unknown }) : {};
  return isTexts(when) && isFunction(apply);
};

const framings = { sse: true, ndjson: true, "json-list": true, "aws-event-stream": true } satisfies Record<
  Framing,
  true
>;

/** Every kind of field there is; `anything` is judged elsewhere. */
export const fieldKinds = {
  anything: { words: "anything", fits: () => true },
  text: { words: "a text", fits: isText },
  path: {
    words: "a path that begins with a slash, below the base URL",
    fits: (value) => isText(value) && /^(?:$|[/?]|https?:)/.test(String(value)),
  },
  flag: { words: "true or false", fits: (value) => typeof value === "boolean" },
  call: { words: "a function", fits: isFunction },
  textOrCall: { words: "a text or a function", fits: (value) => isText(value) || isFunction(value) },
  map: { words: "a map", fits: isMap },
  mapOrCall: { words: "a map or a function", fits: (value) => isMap(value) || isFunction(value) },
  texts: { words: 'a list of texts, such as ["logit_bias"]', fits: isTexts },
  mapOfTexts: { words: 'a map of texts, such as { seed: "random_seed" }', fits: mapOf(isText) },
  mapOfNumbers: { words: "a map of numbers", fits: mapOf((value) => typeof value === "number") },
  mapOfBounds: { words: "a map of lowest and highest numbers, such as { temperature: [0, 1] }", fits: mapOf(isBounds) },
  framing: {
    words: `one of ${Object.keys(framings).join(", ")}`,
    fits: (value) => isText(value) && Object.hasOwn(framings, String(value)),
  },
  rewrite: { words: 'a map such as { when: ["seed"], apply: (wire) => … }', fits: isRewrite },
} satisfies Record<string, FieldKind>;

export type FieldKindName = keyof typeof fieldKinds;

/** What somebody gave in the place of something else, without what stands in it: it may be a secret. */
export const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  const { name } = value.constructor ?? {};
  return name && name !== "Object" ? `an object of the class ${name}` : "an object";
};
