import type { AssistantPart, Fields } from "../../../core/index.ts";
import { readExtra } from "../extra.ts";
import { redactedPrefix } from "../request/decode-input.ts";
import { standsInItem } from "./built-in-items.ts";

/** Parts that are an item of their own, in one piece. */

type Part<Type extends AssistantPart["type"]> = Extract<AssistantPart, { type: Type }>;

export const redactedItem = ({ data }: Part<"redacted-thinking">, id: string): Fields => ({
  type: "reasoning",
  id,
  status: "completed",
  summary: [],
  encrypted_content: redactedPrefix + data,
});

/** Undefined for an image that is somewhere else, for only bytes have a place here, and for one that an item before it has. */
export function imageItem({ source, extra }: Part<"image">, id: string): Fields | undefined {
  const note = readExtra(extra);
  if (source.kind !== "data" || standsInItem(note)) return undefined;
  return { type: "image_generation_call", ...(note.item ?? { id, status: "completed" }), result: source.data };
}
