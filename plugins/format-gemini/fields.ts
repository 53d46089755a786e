import { declareUsual, extrasOf, type Fields, isRecord, refuse } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "gemini";

declareUsual(formatName, {
  behavior: ['"BLOCKING"'],
  cachedContent: ['""'],
  "generationConfig.audioTimestamp": ["false"],
  "generationConfig.enableEnhancedCivicAnswers": ["false"],
  "generationConfig.mediaResolution": ['"MEDIA_RESOLUTION_UNSPECIFIED"'],
  "generationConfig.responseModalities": ['["TEXT"]', '["MODALITY_UNSPECIFIED"]'],
  "generationConfig.thinkingConfig.thinkingLevel": ['"THINKING_LEVEL_UNSPECIFIED"'],
  labels: ["{}"],
  serviceTier: ['"unspecified"', '"SERVICE_TIER_UNSPECIFIED"'],
  store: ["false"],
  thought: ["false"],
  "toolConfig.functionCallingConfig.mode": ['"MODE_UNSPECIFIED"'],
});

/** The first member of every enumeration of this API says what saying nothing says. */
export const isUnspecified = (word: string): boolean => /(?:^|_)unspecified$/i.test(word);

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** What this format does with the extras it made, and with those of others. */
export const { extraOf, writtenIn, restore, reportOthers } = extrasOf(formatName);

/** The API takes the names of its fields in both spellings: `inline_data` is `inlineData`. */
export function camelled(wire: Readonly<Fields>): Readonly<Fields> {
  for (const name in wire)
    if (name.includes("_"))
      return Object.fromEntries(Object.entries(wire).map(([name, value]) => [camel(name), value]));
  return wire;
}

const camel = (name: string) => name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** An object of a request, its names in one spelling; refused when it is something else. */
export const objectAt = (value: unknown, path: string): Readonly<Fields> =>
  isRecord(value) ? camelled(value) : refuse(path || "body", "an object", value);

/** The same where it may be missing. */
export const objectIn = (value: unknown, path: string): Readonly<Fields> =>
  value === undefined || value === null ? {} : objectAt(value, path);

/** A list of a request. Where the API has a list, one object alone is a list of one. */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? [value] : refuse(path, "a list of objects", value);
}

export const textAt = (value: unknown, path: string): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : refuse(path, "a string", value);
};
