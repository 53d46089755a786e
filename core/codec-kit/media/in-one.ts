import { refuse } from "../fields/refusal.ts";
import { type Fields, isRecord } from "../records.ts";
import { withMedia } from "./media.ts";

const kinds = ["text", "image", "video", "audio"];

/**
 * An item to embed as one that names each kind once, for vendors that know no order: of one with parts, texts stand below
 * each other. Refused where something is there twice, or has a name of one API alone; `most` is what there may be.
 */
export const itemInOne = (item: Readonly<Fields>, most: string): Readonly<Fields> =>
  Array.isArray(item.parts) ? (inOne(item.parts) ?? refuse("input.parts", most, item.parts)) : withMedia(item);

/** Undefined where it cannot be said as one. */
export function inOne(parts: readonly unknown[]): Readonly<Fields> | undefined {
  const item: Fields = {};
  for (const part of parts) {
    if (!isRecord(part)) return undefined;
    for (const [kind, said] of Object.entries(withMedia(part))) {
      if (!kinds.includes(kind)) return undefined;
      const isText = kind === "text" && typeof said === "string";
      if (item[kind] === undefined) item[kind] = said;
      else if (isText) item[kind] = `${item[kind]}\n${said}`;
      else return undefined;
    }
  }
  return item;
}
