import {
  compact,
  type ErrorDetail,
  errorTable,
  type Fields,
  type Image,
  type ImageResponse,
  isRecord,
  raise,
  type Usage,
} from "../../core/index.ts";
import type { Vendor } from "./vendor.ts";

/** Images are texts, or objects that hold one under one of these names. */
const names = ["b64_json", "base64", "bytesBase64Encoded", "image", "url"] as const;

function imageIn(value: unknown): Image | undefined {
  const held = isRecord(value) ? names.map((name) => value[name]).find((one) => typeof one === "string") : value;
  if (typeof held !== "string" || held === "") return undefined;
  if (/^https?:\/\//.test(held)) return { url: held };
  return { base64: held.replace(/^data:[^,]*,/, "") };
}

interface Images {
  readonly whole: readonly Image[];
  /** What filters said of those that are withheld, blurred or blank. */
  readonly filters: readonly string[];
  /** How many are not there, without a word. */
  readonly lacking: number;
}

/** The images of an answer, without those that a filter of the vendor got hold of. */
export function imagesOf({ images, filtered }: Vendor, body: unknown): Images {
  if (!isRecord(body) && !Array.isArray(body)) return { whole: [], filters: [], lacking: 0 };
  const list = images(body as Fields);
  const said = filtered?.(body as Fields) ?? [];
  const found = list === undefined ? [] : [list].flat().filter((_, at) => typeof said[at] !== "string");
  const whole = found.map(imageIn).filter((image) => image !== undefined);
  const filters = said.filter((reason) => typeof reason === "string");
  return { whole, filters, lacking: found.length - whole.length };
}

export function decodeResponse(
  vendor: Vendor,
  body: unknown,
  decodeError: (body: unknown) => ErrorDetail | undefined,
): ImageResponse {
  const { whole, lacking } = imagesOf(vendor, body);
  if (whole.length > 0 && lacking === 0)
    return { images: whole, usage: { ...tokensOf(vendor, body), images: whole.length } };
  const filtered = filteredOf(vendor, body);
  if (filtered) raise("content_filtered", filtered.message);
  raise("upstream_invalid", `The answer holds no images: ${decodeError(body)?.message ?? "they are missing"}`);
}

export const tokensOf = ({ usage }: Vendor, body: unknown): Usage | undefined =>
  isRecord(body) ? usage?.(body) : undefined;

/** What went wrong with an answer of which filters left no image: nobody gets another one by asking again. */
export function filteredOf(vendor: Vendor, body: unknown): ErrorDetail | undefined {
  const { whole, filters, lacking } = imagesOf(vendor, body);
  if (filters.length === 0 || whole.length + lacking > 0) return undefined;
  const { type, wireCode: code } = errorTable.content_filtered;
  return compact({ message: `The vendor's filters left no image: ${[...new Set(filters)].join(", ")}`, type, code });
}
