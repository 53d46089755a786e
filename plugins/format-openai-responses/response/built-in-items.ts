import {
  type AssistantPart,
  compact,
  type Fields,
  type ImagePart,
  mediaOf,
  type RanCode,
  recordsIn,
  type Source,
} from "../../../core/index.ts";
import { formatName, ownExtra } from "../extra.ts";

/** Says of an image that it stands in an item before it as well: other formats are shown it, and this one has it already. */
const inItem = "code_interpreter_image";

export const standsInItem = ({ spelling }: { readonly spelling?: string | undefined }): boolean => spelling === inItem;

/** What the vendor's own tools made: an item that other formats may have words for, and the images in it. */
export function partsOf(item: Readonly<Fields>): readonly AssistantPart[] {
  const drawn = item.type === "image_generation_call" ? drawnIn(item) : undefined;
  if (drawn) return [drawn];
  const opaque = { type: "opaque", format: formatName, value: item } as const;
  if (item.type !== "code_interpreter_call") return [opaque];
  return [{ ...opaque, ...compact({ ran: ranIn(item) }) }, ...outputsIn(item).flatMap(shownIn)];
}

/** The image that was drawn; undefined where there is none. */
export function drawnIn({ type: _, result, ...item }: Readonly<Fields>): ImagePart | undefined {
  if (typeof result !== "string" || result === "") return undefined;
  const { output_format: format } = item;
  const said = typeof format === "string" ? { mime_type: `image/${format === "svg" ? "svg+xml" : format}` } : {};
  return { type: "image", source: bytesIn({ base64: result, ...said }), ...ownExtra({}, { item }) };
}

/** The vendor draws PNG unless it is asked for something else. */
function bytesIn(wire: Readonly<Fields>): Source {
  const { data = "", url, mediaType } = mediaOf(wire);
  return url === undefined ? { kind: "data", data, mediaType: mediaType ?? "image/png" } : { kind: "url", url };
}

const outputsIn = ({ outputs }: Readonly<Fields>): readonly Fields[] => recordsIn(outputs);

const shownIn = ({ type, url }: Readonly<Fields>): readonly ImagePart[] =>
  type === "image" && typeof url === "string"
    ? [{ type: "image", source: bytesIn({ url }), ...ownExtra({}, { spelling: inItem }) }]
    : [];

/** What was run, and what came of it where clients have asked for that (`include`): of what is not told nothing is said. */
function ranIn(item: Readonly<Fields>): RanCode | undefined {
  const code = typeof item.code === "string" ? item.code : undefined;
  const output = Array.isArray(item.outputs)
    ? outputsIn(item)
        .map(({ logs }) => (typeof logs === "string" ? logs : ""))
        .join("")
    : undefined;
  if (code === undefined && output === undefined) return undefined;
  return {
    id: String(item.id ?? ""),
    ...compact({ code, language: code === undefined ? undefined : "python", output }),
    ...(item.status === "failed" && { failed: true }),
  };
}
