import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { unpacked } from "./unpacked.ts";

/** What a witness is shown of an answer of which it may see so many bytes. */
async function shown(bytes: Buffer, encoding: string, most: number) {
  let seen = 0;
  let whole: boolean | undefined;
  const witness = unpacked(
    {
      see(piece) {
        seen += piece.length;
      },
      end(isWhole) {
        whole = isWhole;
      },
    },
    encoding,
    most,
  );
  for (let at = 0; at < bytes.length; at += 10) witness?.see(bytes.subarray(at, at + 10));
  await witness?.end(true);
  return { seen, whole };
}

const plain = Buffer.alloc(1_000_000, "a");

it.each<[string, Buffer]>([
  ["gzip", gzipSync(plain)],
  ["deflate", deflateSync(plain)],
  ["br", brotliCompressSync(plain)],
])("stops unpacking what becomes too much: %s", async (encoding, bytes) => {
  expect(await shown(bytes, encoding, plain.length)).toEqual({ seen: plain.length, whole: true });
  const { seen, whole } = await shown(bytes, encoding, 100_000);
  expect(whole).toBe(false);
  expect(seen).toBeLessThanOrEqual(100_000);
});

it("shows all of a file that is as long as files are, whatever may be unpacked besides", async () => {
  const lines = Array.from({ length: 5_000 }, (_, at) =>
    JSON.stringify({ custom_id: `a-${at}`, usage: { tokens: at } }),
  );
  const file = Buffer.from(lines.join("\n"));
  expect(await shown(gzipSync(file), "gzip", 1_000)).toEqual({ seen: file.length, whole: true });
});

it("shows no whole of what breaks off, or is no such thing", async () => {
  expect(await shown(gzipSync(plain).subarray(0, 100), "gzip", plain.length)).toMatchObject({ whole: false });
  expect(await shown(plain, "gzip", plain.length)).toEqual({ seen: 0, whole: false });
});
