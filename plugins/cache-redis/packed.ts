import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";

/** Longer values are kept packed (operations.md section 13.5). */
const longestPlain = 8 * 1024;

/** What packed values begin with. */
const mark = Buffer.from("sluice-gzip\n");

/** In threads of their own, so that a long answer holds up nobody. */
const pack = promisify<Buffer, object, Buffer>(gzip);
const unpack = promisify<Buffer, object, Buffer>(gunzip);
const quickest = { level: constants.Z_BEST_SPEED };

const isMarked = (value: Buffer): boolean => value.length >= mark.length && value.subarray(0, mark.length).equals(mark);

/** A value as it is kept. What does not get shorter stays as it is, unless it would be taken for a packed one. */
export function packed(value: Buffer): Buffer | Promise<Buffer> {
  const marked = isMarked(value);
  if (value.length <= longestPlain && !marked) return value;
  return pack(value, quickest).then((bytes) =>
    marked || mark.length + bytes.length < value.length ? Buffer.concat([mark, bytes]) : value,
  );
}

/** The value that was kept; undefined where it is damaged, or longer than `most` bytes. */
export async function unpacked(kept: Buffer, most: number): Promise<Buffer | undefined> {
  if (!isMarked(kept)) return kept;
  try {
    return await unpack(kept.subarray(mark.length), { maxOutputLength: Math.max(most, 1) });
  } catch {
    return undefined;
  }
}
