import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Witness } from "../model/witness.ts";

const unpackers: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Shows a witness the plain bytes of an answer that is packed for its client, unpacked beside it. Undefined where nobody
 * here can unpack it.
 */
export function unpacked(witness: Witness, encoding: string): Witness | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return witness;
  const unpack = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined;
  if (!unpack) return undefined;
  const stream = unpack();
  let broken = false;
  const done = new Promise<void>((resolve) => {
    stream.on("close", resolve);
    stream.on("error", () => {
      broken = true;
      resolve();
    });
  });
  stream.on("data", (bytes: Buffer) => witness.see(bytes));
  return {
    see: (bytes) => void stream.write(bytes),
    async end(whole) {
      stream.end();
      await done;
      await witness.end(whole && !broken);
    },
  };
}
