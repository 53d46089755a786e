import { promisify } from "node:util";
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from "node:zlib";
import type { Witness } from "../../model/witness.ts";

interface Unpacker {
  readonly stream: () => ReturnType<typeof createGunzip>;
  readonly whole: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
}

const gzip: Unpacker = { stream: createGunzip, whole: promisify(gunzip) };
const unpackers: Readonly<Record<string, Unpacker>> = {
  gzip,
  "x-gzip": gzip,
  deflate: { stream: createInflate, whole: promisify(inflate) },
  br: { stream: createBrotliDecompress, whole: promisify(brotliDecompress) },
};

/** How to unpack what has a `content-encoding`; "plain" where it is not packed, undefined where nobody here can. */
function unpackerFor(encoding: string): Unpacker | "plain" | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return "plain";
  return Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
}

/** Whether what has this `content-encoding` can be read here. */
export const canUnpack = (encoding: string): boolean => unpackerFor(encoding) !== undefined;

/** What is written to it comes out unpacked; undefined where nobody here can do that, or nothing is packed. */
export function unpackingStream(encoding: string): ReturnType<typeof createGunzip> | undefined {
  const unpacker = unpackerFor(encoding);
  return unpacker === "plain" ? undefined : unpacker?.stream();
}

/** Bytes unpacked, of at most so many; undefined where nobody here can do that. Those that are not packed are the same ones. */
export async function unpackedBytes(bytes: Buffer, encoding: string, limit: number): Promise<Buffer | undefined> {
  const unpacker = unpackerFor(encoding);
  if (unpacker === "plain") return bytes;
  return unpacker?.whole(bytes, { maxOutputLength: limit }).catch(() => undefined);
}

/** How many times as long as it came a file may be: lines of JSON are some twenty times as long, what was made to be unpacked for ever a thousand times. */
const usually = 64;

/**
 * Shows a witness the plain bytes of an answer that is packed for its client, unpacked beside it: so many at most where it
 * is longer than files usually are, as a few bytes may stand for hours of unpacking. Of an answer with more it is shown no
 * whole. Undefined where nobody here can unpack it.
 */
export function unpacked(witness: Witness, encoding: string, most: number): Witness | undefined {
  const unpacker = unpackerFor(encoding);
  if (unpacker === "plain") return witness;
  if (!unpacker) return undefined;
  const stream = unpacker.stream();
  let broken = false;
  let packed = 0;
  let length = 0;
  const done = new Promise<void>((resolve) => {
    stream.on("close", resolve);
    stream.on("error", () => {
      broken = true;
      resolve();
    });
  });
  stream.on("data", (bytes: Buffer) => {
    length += bytes.length;
    if (length <= most || length <= packed * usually) return witness.see(bytes);
    broken = true;
    stream.destroy();
  });
  return {
    see(bytes) {
      packed += bytes.length;
      if (!broken) stream.write(bytes);
    },
    async end(whole) {
      if (!broken) stream.end();
      await done;
      await witness.end(whole && !broken);
    },
  };
}
