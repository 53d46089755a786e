import { type Fields, GatewayError, type ImagePart } from "../../../core/index.ts";
import { fieldsOf, formatName, spellingOf, type WireExtra } from "../extra.ts";
import { decodeImage } from "../request/parts.ts";
import { address } from "../request/sources.ts";

/** The field of a message, or of a delta, in which models of OpenRouter show what they draw. */
export const drawnField = "images";

/** Takes drawn images out of the unread fields of an answer. What is not all images stays there. */
export function takeDrawn(unread: Fields): readonly ImagePart[] {
  const { [drawnField]: images } = unread;
  if (!Array.isArray(images) || images.length === 0) return [];
  const parts = images.map(drawnIn);
  if (!parts.every((part) => part !== undefined)) return [];
  delete unread[drawnField];
  return parts;
}

/** It remembers the field it came in, so that this format writes it back there. */
function drawnIn(wire: unknown, at: number): ImagePart | undefined {
  try {
    const part = decodeImage(wire, `${drawnField}[${at}]`);
    if (part.type !== "image") return undefined;
    const extra: WireExtra = { format: formatName, fields: {}, ...part.extra, spelling: drawnField };
    return { ...part, extra };
  } catch (cause) {
    if (cause instanceof GatewayError) return undefined;
    throw cause;
  }
}

/** The image as it came in that field; undefined for those that did not. */
export function drawnAgain({ source, extra }: ImagePart): Fields | undefined {
  if (spellingOf(extra) !== drawnField) return undefined;
  const { inner, outer } = fieldsOf(extra);
  return { type: "image_url", image_url: { url: address(source), ...inner }, ...outer };
}
