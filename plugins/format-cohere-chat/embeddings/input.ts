import {
  type EmbeddingInput,
  type Fields,
  isRecord,
  mediaOf,
  objectAt,
  refuse,
  textAt,
  withMedia,
} from "../../../core/index.ts";
import { listAt } from "../fields.ts";
import { sourceOf } from "../request/decode-messages.ts";

/** What is embedded, in the three places this API has for it: `texts`, `images`, and `inputs` that mix both. */

export const inputFields: readonly string[] = ["texts", "images", "inputs"];

export function decodeInput(wire: Readonly<Fields>): EmbeddingInput[] {
  const input = [
    ...listIn(wire.texts, "texts").map((text, at) => textAt(text, `texts[${at}]`)),
    ...listIn(wire.images, "images").map((url, at) => ({ image: imageOf(textAt(url, `images[${at}]`)) })),
    ...listIn(wire.inputs, "inputs").map((one, at) => decodeMixed(objectAt(one, `inputs[${at}]`), `inputs[${at}]`)),
  ];
  return input.length > 0 ? input : refuse("texts", "a list with at least one text", wire.texts);
}

const listIn = (value: unknown, path: string): readonly unknown[] =>
  value === undefined || value === null ? [] : listAt(value, path);

/** A bare address stays one; data is what other APIs call `base64`, with its type in front. */
const imageOf = (url: string): Fields => (sourceOf(url).kind === "data" ? { base64: url } : { url });

/** A text alone is one; parts that have names in the unified item are that item, or its parts; anything else stays as it is written here. */
function decodeMixed(wire: Readonly<Fields>, path: string): EmbeddingInput {
  const content = listAt(wire.content, `${path}.content`).map((part, at) => objectAt(part, `${path}.content[${at}]`));
  const parts = content.map(partOf).filter((part) => part !== undefined);
  if (parts.length < content.length || content.length === 0) return wire;
  const [first = {}, second = {}] = parts;
  // Most vendors take texts only, and no items.
  if (parts.length === 1 && typeof first.text === "string") return first.text;
  const isPlain = parts.length === 1 || (parts.length === 2 && "text" in first && "image" in second);
  return isPlain ? { ...first, ...second } : { parts };
}

/** A text or an image that says no more than that; undefined for others. */
function partOf({ type, text, image_url: image, ...more }: Readonly<Fields>): Fields | undefined {
  if (Object.keys(more).length > 0) return undefined;
  if (type === "text") return typeof text === "string" && image === undefined ? { text } : undefined;
  const { url, ...beside } = type === "image_url" && text === undefined && isRecord(image) ? image : {};
  return typeof url === "string" && Object.keys(beside).length === 0 ? { image: imageOf(url) } : undefined;
}

/** An item as this API says it: a text, an image, or both. */
interface Item {
  readonly text?: string;
  readonly image?: string;
  /** Already as this API has it. */
  readonly mixed?: Readonly<Fields>;
}

export function encodeInput(input: readonly EmbeddingInput[], single: boolean): Fields {
  const items = input.map((one, at) => itemOf(one, single ? "input" : `input[${at}]`));
  const texts = items.flatMap(({ text, image }) => (text !== undefined && image === undefined ? [text] : []));
  if (texts.length === items.length) return { texts };
  const images = items.flatMap(({ text, image }) => (image !== undefined && text === undefined ? [image] : []));
  if (images.length === items.length) return { images };
  return { inputs: items.map(encodeMixed) };
}

const encodeMixed = (item: Item): Readonly<Fields> => item.mixed ?? { content: contentOf(item) };

const contentOf = ({ text, image }: Item): Fields[] => [
  ...(text === undefined ? [] : [{ type: "text", text }]),
  ...(image === undefined ? [] : [{ type: "image_url", image_url: { url: image } }]),
];

function itemOf(input: EmbeddingInput, path: string): Item {
  if (typeof input === "string") return { text: input };
  if (!isRecord(input)) return refuse(path, "text: this vendor takes no token ids", input);
  if (Array.isArray(input.content)) return { mixed: input };
  if (Array.isArray(input.parts)) {
    const parts = input.parts.map((part, at) => itemOf(part, `${path}.parts[${at}]`));
    const [only] = parts;
    return parts.length === 1 && only ? only : { mixed: { content: parts.flatMap(contentOf) } };
  }
  const { image } = withMedia(input);
  const item: Item = {
    ...(typeof input.text === "string" && { text: input.text }),
    ...(isRecord(image) && { image: addressOf(image, `${path}.image`) }),
  };
  const isWhole = Object.keys(item).length > 0 && input.video === undefined && input.audio === undefined;
  return isWhole ? item : refuse(path, "a text, or an item with text or image", input);
}

function addressOf(image: Readonly<Fields>, path: string): string {
  const { data, mediaType = "image/jpeg" } = mediaOf(image);
  if (data !== undefined) return `data:${mediaType};base64,${data}`;
  return typeof image.url === "string" ? image.url : refuse(path, "an object with base64 or url", image.url);
}

export const isImage = (fields: Readonly<Fields>): boolean => fields.images !== undefined;
