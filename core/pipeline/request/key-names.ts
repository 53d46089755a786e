import { standsAt } from "../../json-bytes.ts";

/** Longer ones, and more of them than that, at all or of one kind, are made anew each time: what clients send has no bounds. */
const longest = 64;
const most = 1024;
const mostAlike = 16;

interface KeyName {
  readonly bytes: Buffer;
  readonly name: string;
}

/** By length and first byte. */
const known = new Map<number, KeyName[]>();
let count = 0;

/**
 * The text of a key that has no escapes in it, of the bytes `[from, to)` between its quotes. The same few names come with every
 * request: comparing their bytes takes a fifth of the time that making a string does, and of its hash.
 */
export function keyName(bytes: Buffer, from: number, to: number): string {
  const length = to - from;
  if (length > longest) return bytes.toString("utf8", from, to);
  const place = length * 256 + (bytes[from] ?? 0);
  const alike = known.get(place);
  if (alike) for (const { bytes: own, name } of alike) if (standsAt(bytes, from, own)) return name;
  const name = bytes.toString("utf8", from, to);
  if (count < most && (alike?.length ?? 0) < mostAlike) {
    count++;
    // Bytes of its own: neither those of the request are to be held for it, nor a pool of Node's with what else was in that.
    const kept = { bytes: Buffer.allocUnsafeSlow(length), name };
    bytes.copy(kept.bytes, 0, from, to);
    if (alike) alike.push(kept);
    else known.set(place, [kept]);
  }
  return name;
}
