import { type EmbeddingInput, type Fields, isRecord, mediaOf, refuse, withMedia } from "../../../core/index.ts";
import { camelled } from "../fields.ts";
import { mediaTypeOf, spelledHere } from "../media-types.ts";

/** What is embedded: a content, whose parts are texts, images, videos and sounds. */

const kinds = ["image", "video", "audio"] as const;

/** Texts alone are one. What is seen and heard has names that other APIs know; what has none stays as it is written here. */
export function decodeParts(parts: readonly Readonly<Fields>[]): EmbeddingInput {
  if (parts.every(({ text }) => typeof text === "string")) return parts.map(({ text }) => text).join("");
  const items = parts.map(itemOf);
  return inUsualOrder(items) ? Object.assign({}, ...items) : { parts: items };
}

/** Each kind once, in the order they are written in: then it needs no list. */
function inUsualOrder(items: readonly Readonly<Fields>[]): boolean {
  const places = items.map((item) => {
    const [name = "", ...others] = Object.keys(item);
    return others.length > 0 ? -1 : ["text", ...kinds].indexOf(name);
  });
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}

/** A part whose words mean here what they do there; anything more it says would be lost. */
function itemOf(part: Readonly<Fields>): Readonly<Fields> {
  const [name, ...others] = Object.keys(part);
  const said = others.length === 0 && name !== undefined ? part[name] : undefined;
  if (!isRecord(said)) return part;
  const { mimeType, data, fileUri, ...more } = camelled(said);
  const kind = kinds.find((one) => typeof mimeType === "string" && mimeType.toLowerCase().startsWith(`${one}/`));
  if (kind === undefined || Object.keys(more).length > 0) return part;
  if (name === "inlineData" && typeof data === "string" && fileUri === undefined)
    return { [kind]: { base64: data, mime_type: mimeType } };
  if (name === "fileData" && typeof fileUri === "string" && data === undefined)
    return { [kind]: { url: fileUri, mime_type: mimeType } };
  return part;
}

/** What media are taken for that say nothing of their type. */
const usualTypes = { image: "image/jpeg", video: "video/mp4", audio: "audio/mp3" } as const;

export function encodeParts(input: EmbeddingInput, path: string): readonly unknown[] {
  if (typeof input === "string") return [{ text: input }];
  if (!isRecord(input)) return refuse(path, "text: this vendor takes no token ids", input);
  if (Array.isArray(input.parts)) return input.parts.flatMap((part) => (isRecord(part) ? writtenHere(part) : [part]));
  const parts = partsOf(input);
  return parts.length > 0 ? parts : refuse(path, "a text, or an item with text, image, video or audio", input);
}

/** Clients of the unified API may write parts in the words of this one. */
function writtenHere(part: Readonly<Fields>): readonly Readonly<Fields>[] {
  const parts = partsOf(part);
  return parts.length === Object.keys(part).length ? parts : [part];
}

function partsOf(given: Readonly<Fields>): readonly Fields[] {
  const item = withMedia(given);
  const parts: Fields[] = typeof item.text === "string" ? [{ text: item.text }] : [];
  for (const kind of kinds) {
    const media = item[kind];
    if (!isRecord(media)) continue;
    const { data, url, mediaType } = mediaOf(media);
    const type = mediaType ?? (url === undefined ? undefined : mediaTypeOf(url, "image")) ?? usualTypes[kind];
    const mimeType = spelledHere(type);
    if (data !== undefined) parts.push({ inlineData: { mimeType, data } });
    else if (url !== undefined) parts.push({ fileData: { mimeType, fileUri: url } });
  }
  return parts;
}
