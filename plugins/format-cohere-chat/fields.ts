import { declareUsual, type Extra, extrasOf, type Fields, ownFields, refuse, textAt } from "../../core/index.ts";

/** The name of this format: what `extra`, opaque parts and native tools made here carry. */
export const formatName = "cohere-chat";

declareUsual(formatName, {
  citation_options: ["{}"],
  priority: ["0"],
  raw_prompting: ["false"],
  safety_mode: ['"CONTEXTUAL"'],
  strict_tools: ["false"],
});

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** What this format does with the extras it made, and with those of others. */
export const { extraOf, isOwn, writtenIn, reportOthers } = extrasOf(formatName);

/** Puts back the fields that came from this format. What the canonical model says wins. */
export const restore = (wire: Fields, extra: Extra | undefined): Fields =>
  isOwn(extra) ? Object.assign({}, ownFields(formatName, extra), wire) : wire;

export const listAt = (value: unknown, path: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(path, "a list", value);

/** A text of a request where it may be missing: on this wire null says nothing. */
export const textIn = (value: unknown, path: string): string | undefined =>
  value === undefined || value === null ? undefined : textAt(value, path);
