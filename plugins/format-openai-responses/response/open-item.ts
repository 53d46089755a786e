import type { InputReader } from "../../../core/index.ts";
import type { Place, TextWriter } from "./text-writer.ts";

/** An item that is being written, with the text in it that is. */
export interface Open extends Place {
  text?: TextWriter | undefined;
  /** Reasoning of another vendor. */
  made?: boolean;
  /** Told of when it is there as a whole only. */
  late?: boolean;
  /** The part last written to. */
  part: number;
}

export interface OpenCall {
  readonly open: Open;
  readonly text: TextWriter;
  /** Of a call whose arguments are free text: takes it out of them. */
  readonly input?: InputReader | undefined;
}
