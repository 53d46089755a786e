import { lineFeed } from "../json-bytes.ts";
import type { Witness } from "../model/witness.ts";

/** Bytes of a line that is looked into at most. */
const mostBytes = 16 * 1024 * 1024;

/** Who is shown the lines of a file while it passes. */
export interface LineReader {
  line(text: string): void;
  /** One that is too long. */
  unreadable(): void;
  /** Nobody wants to know any more. */
  readonly over?: boolean;
}

/** Cuts what passes into lines; no more than one of them is ever held. */
export function linesWitness(reader: LineReader, ended: (whole: boolean) => Promise<void>): Witness {
  let held: Buffer[] = [];
  let bytes = 0;
  const hold = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) held = [];
    else held.push(piece);
  };
  const finish = () => {
    if (bytes > mostBytes) reader.unreadable();
    else if (bytes > 0) reader.line(Buffer.concat(held, bytes).toString());
    held = [];
    bytes = 0;
  };
  return {
    see(piece) {
      if (reader.over) {
        held = [];
        return;
      }
      let from = 0;
      for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, from)) {
        hold(piece.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < piece.length) hold(piece.subarray(from));
    },
    async end(whole) {
      if (!reader.over) finish();
      await ended(whole);
    },
  };
}
