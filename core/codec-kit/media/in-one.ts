import { type Fields, isRecord } from "../records.ts";

const kinds = ["text", "image", "video", "audio"];

/**
 * The parts of an item to embed as one item that names each kind once, for vendors that know no order: texts stand below
 * each other. Undefined where something is there twice, or has a name of one API alone.
 */
export function inOne(parts: readonly unknown[]): Readonly<Fields> | undefined {
  const item: Fields = {};
  for (const part of parts) {
    if (!isRecord(part)) return undefined;
    for (const [kind, said] of Object.entries(part)) {
      if (!kinds.includes(kind)) return undefined;
      const isText = kind === "text" && typeof said === "string";
      if (item[kind] === undefined) item[kind] = said;
      else if (isText) item[kind] = `${item[kind]}\n${said}`;
      else return undefined;
    }
  }
  return item;
}
