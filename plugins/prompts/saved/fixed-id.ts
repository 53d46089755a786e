import { createHash } from "node:crypto";

/** The id of something that everybody who makes it must call the same: made of what it is, in the shape of a UUID v4. */
export function fixedId(...what: readonly string[]): string {
  const bytes = createHash("sha256")
    .update(JSON.stringify(["prompts", ...what]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
