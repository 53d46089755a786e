import { compact, declareUsual, extrasOf, type Fields, objectAt, refuse } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "bedrock-converse";

declareUsual(formatName, {
  "document.citations.enabled": ["false"],
  "performanceConfig.latency": ['"standard"'],
  promptVariables: ["{}"],
  requestMetadata: ["{}"],
});

/** Whose signatures come through here: what AWS hands out are those of the vendor itself. */
export const signer = "anthropic-messages";

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** What this format does with the extras it made, and with those of others. */
export const { extraOf, isOwn, writtenIn, restore, reportOthers } = extrasOf(formatName);

/** An object of a request where it may be missing. */
export const objectIn = (value: unknown, path: string): Readonly<Fields> =>
  value === undefined || value === null ? {} : objectAt(value, path);

export const listAt = (value: unknown, path: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(path, "a list of objects", value);

/** The fields of an object without those that hold nothing; undefined when nothing is left. */
export function filled(fields: Readonly<Fields>): Fields | undefined {
  const left = compact(fields);
  for (const _ in left) return left;
  return undefined;
}
