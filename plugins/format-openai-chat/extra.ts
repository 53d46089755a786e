import { declareUsual, type Extra, type Fields, isEmpty } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "openai-chat";

declareUsual(formatName, {
  metadata: ["{}"],
  modalities: ['["text"]'],
  service_tier: ['"auto"', '"default"'],
  store: ["false"],
  verbosity: ['"medium"'],
});

/**
 * An extra that remembers how its owner was written, so that the same format gets the same JSON back. The notes stand
 * beside `fields` and not in it: they are spellings, not content, and no other format loses anything with them.
 */
export interface WireExtra extends Extra {
  /** Those of `fields` that stood beside the nested object (`function`, `image_url`, `message`), not inside it. */
  readonly outer?: Readonly<Fields>;
  /** Names that stood in both places: `fields` has the inner value. */
  readonly both?: readonly string[];
  /** Which of several ways of saying the same was used: `max_tokens`, `reasoning`, `image_url`, … */
  readonly spelling?: string;
  /** Fields that say nothing to other formats, and stand with the inner ones. */
  readonly kept?: Readonly<Fields>;
  /** Of what the canonical model has, and not all who speak this format: what was said in it, by its names there. */
  readonly said?: readonly string[];
}

/** An `extra` to spread into its owner; nothing when there is nothing to remember. */
export function extraOf(inner: Fields, outer: Fields = {}, spelling?: string): { extra?: WireExtra } {
  if (spelling === undefined && isEmpty(inner) && isEmpty(outer)) return {};
  const beside = Object.keys(outer);
  const both = beside.filter((name) => Object.hasOwn(inner, name));
  return {
    extra: {
      format: formatName,
      fields: { ...outer, ...inner },
      ...(beside.length > 0 && { outer }),
      ...(both.length > 0 && { both }),
      ...(spelling !== undefined && { spelling }),
    },
  };
}

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;

/** What else is known of an owner, of which there may be nothing else to remember. */
export function withSaid({ extra }: { extra?: WireExtra }, said: readonly string[]): { extra?: WireExtra } {
  return said.length === 0
    ? { ...(extra && { extra }) }
    : { extra: { format: formatName, fields: {}, ...extra, said } };
}

/** Fields that are kept for this format besides. */
export const withKept = ({ extra }: { extra?: WireExtra }, kept: Readonly<Fields>): { extra: WireExtra } => ({
  extra: { format: formatName, fields: {}, ...extra, kept },
});

export const spellingOf = (extra: Extra | undefined): string | undefined => (isOwn(extra) ? extra.spelling : undefined);

const none = { inner: {}, outer: {} };

/** The fields of an own extra, sorted back to where they stood. Another format's extra has none here. */
export function fieldsOf(extra: Extra | undefined): { inner: Readonly<Fields>; outer: Readonly<Fields> } {
  if (!isOwn(extra)) return none;
  const { fields, outer, both, kept } = extra;
  const inner = outer
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(outer, name) || both?.includes(name)))
    : fields;
  return { inner: kept ? { ...kept, ...inner } : inner, outer: outer ?? {} };
}
