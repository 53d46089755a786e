import { type EncodeContext, PartSpans, type RanText } from "../../../core/index.ts";
import { BlockWriter } from "./block-writer.ts";
import { CallWriter } from "./call-writer.ts";
import { FieldWriter } from "./field-writer.ts";

/** A choice of a stream, as far as it is written. */
export interface WrittenChoice {
  readonly index: number;
  /** Everything in front of the delta. */
  readonly before: string;
  readonly calls: CallWriter;
  readonly fields: FieldWriter;
  readonly blocks: BlockWriter;
  /** How much text there is, and how much of it is before that of each part. */
  length: number;
  /** Something other than text was said. */
  said: boolean;
  /** Code that was run, which is told as text where nothing else was said. */
  ran?: { readonly part: number; readonly told: RanText };
  readonly spans: PartSpans;
  latest?: number;
}

export const writtenChoice = (index: number, before: string, context: EncodeContext): WrittenChoice => ({
  index,
  before,
  calls: new CallWriter(context),
  fields: new FieldWriter(context),
  blocks: new BlockWriter(),
  length: 0,
  said: false,
  spans: new PartSpans(),
});
