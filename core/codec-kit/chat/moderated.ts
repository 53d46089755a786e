import type { Moderated, ModerationFindings } from "../../model/chat.ts";
import { compact, type Fields, isRecord } from "../records.ts";

/** How a format tells what was found on one of the sides. */
interface Side {
  /** Given what is there of it, which is an object. */
  read(side: Readonly<Fields>): ModerationFindings;
  write(found: ModerationFindings): Fields;
}

/** Reads and writes what moderation found in the input and in the output, for formats that differ in how a side of it looks. */
export function moderationOf({ read, write }: Side) {
  const readSide = (side: unknown) => (isRecord(side) ? read(side) : undefined);
  return {
    /** Undefined where it is something else that a vendor says under the name. */
    decode(wire: unknown): Moderated | undefined {
      if (!isRecord(wire)) return undefined;
      const found = compact({ input: readSide(wire.input), output: readSide(wire.output) });
      return found.input || found.output ? found : undefined;
    },
    encode: ({ input, output }: Moderated): Fields => ({
      input: input ? write(input) : null,
      output: output ? write(output) : null,
    }),
  };
}
