/** What users show besides what they say. What is shown tells by how it begins what it is. */
export type ShownKind = "image" | "address" | "pdf" | "document" | "audio";

const beginnings: Readonly<Record<ShownKind, string>> = {
  image: "iVBO",
  address: "https://a.example/",
  pdf: "JVBE",
  document: "D",
  audio: "UklG",
};

/** Bytes in base64, but for addresses, and for documents of text. */
export function shownOf(kind: ShownKind, number: number): string {
  const padded = String(number).padStart(4, "0");
  if (kind === "address") return `${beginnings.address}${padded}.png`;
  return kind === "document" ? `D${number}z 🧪 said` : `${beginnings[kind]}${padded}`;
}

export const kindOf = (shown: string): ShownKind =>
  (Object.keys(beginnings) as ShownKind[]).find((kind) => shown.startsWith(beginnings[kind])) ?? "document";

/** The document that a text is, behind its name if it has one, for formats that have no others. */
export const documentIn = (text: string): string | undefined => /^(?:[^\n]*\n\n)?(D\d+z.*)$/.exec(text)?.[1];

export const toBase64 = (text: string): string => Buffer.from(text).toString("base64");

/** What is in a data URL, and an address as it is. */
export function inUrl(url: string): string {
  const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  if (data === undefined) return url;
  return type === "text/plain" ? Buffer.from(data, "base64").toString() : data;
}

/** An image as a URL, which may have its bytes in it. */
export const imageUrl = (shown: string): string =>
  kindOf(shown) === "address" ? shown : `data:image/png;base64,${shown}`;

const mediaTypes = {
  image: "image/png",
  address: "image/png",
  pdf: "application/pdf",
  document: "text/plain",
  audio: "audio/wav",
};
export const mediaTypeOf = (shown: string): string => mediaTypes[kindOf(shown)];
