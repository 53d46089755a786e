import { type Draft, declareUsual, type Extra, type Fields, isEmpty } from "../../core/index.ts";

/** The name of this format: what `extra` and opaque parts made here carry. */
export const formatName = "openai-responses";

declareUsual(formatName, {
  metadata: ["{}"],
  "text.verbosity": ['"medium"'],
  service_tier: ['"auto"', '"default"'],
  defer_loading: ["false"],
  allowed_callers: ['["direct"]'],
});

/** Takes the public name of a request field that cannot be carried. */
export type Report = (dropped: string) => void;

/** What stands beside the fields of an extra: spellings, and what other formats lose nothing with. */
interface Notes {
  /** What an item has besides its content (`id`, `status`). A part that carries it begins an item of its own. */
  readonly item?: Readonly<Fields> | undefined;
  /** Fields that ask for nothing other formats do not do anyway (`store: false`), and those that repeat the request. */
  readonly kept?: Readonly<Fields> | undefined;
  /** What the vendor says of the usage besides what is read of it: its cost, for one. */
  readonly usage?: Readonly<Fields> | undefined;
  /** The group a tool stands in, and how it was written there. */
  readonly group?: Group | undefined;
  /** Which of several ways of saying the same was used: `instructions`, `reasoning_text`, … */
  readonly spelling?: string | undefined;
}

export interface Group {
  /** Of the group. */
  readonly name: string;
  readonly purpose: unknown;
  /** Of the tool. */
  readonly tool: { readonly name: string; readonly description?: string };
}

/** An extra that remembers how its owner was written, so that this format gets the same JSON back. */
export interface WireExtra extends Extra, Notes {}

/** Marks its owner as read from this format, with whatever there is to remember. */
export const ownExtra = (fields: Readonly<Fields> = {}, notes?: Notes): { extra: WireExtra } => {
  const extra: Draft<WireExtra> = { format: formatName, fields };
  if (notes?.item) extra.item = notes.item;
  if (notes?.group) extra.group = notes.group;
  if (notes?.kept && !isEmpty(notes.kept)) extra.kept = notes.kept;
  if (notes?.usage) extra.usage = notes.usage;
  if (notes?.spelling !== undefined) extra.spelling = notes.spelling;
  return { extra };
};

/** The same to spread into its owner, and nothing when there is nothing to remember. */
export function extraOf(fields: Readonly<Fields>, notes: Notes = {}): { extra?: WireExtra } {
  const { item, kept = {}, usage, spelling } = notes;
  const says = item || usage || spelling !== undefined || !isEmpty(fields) || !isEmpty(kept);
  return says ? ownExtra(fields, notes) : {};
}

export const isOwn = (extra: Extra | undefined): extra is WireExtra => extra?.format === formatName;

/** The fields and notes of an own extra. Another format's has none here. */
export const readExtra = (extra: Extra | undefined): Pick<WireExtra, "fields"> & Notes =>
  isOwn(extra) ? extra : nothing;
const nothing = { fields: {} };
