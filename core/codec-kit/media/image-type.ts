const heic = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx"]);
const heif = new Set(["mif1", "msf1"]);

/** The media type of an image by its first bytes, of those that vendors read. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n")) return "image/png";
  if (head.startsWith("GIF8")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8) === "WEBP") return "image/webp";
  if (head.slice(4, 8) !== "ftyp") return undefined;
  const brand = head.slice(8);
  return heic.has(brand) ? "image/heic" : heif.has(brand) ? "image/heif" : undefined;
}
