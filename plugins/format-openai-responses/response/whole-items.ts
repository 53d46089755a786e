import type { AssistantPart, Fields } from "../../../core/index.ts";
import { redactedPrefix } from "../request/decode-input.ts";

/** Parts that are an item of their own, in one piece. */

type Part<Type extends AssistantPart["type"]> = Extract<AssistantPart, { type: Type }>;

export const redactedItem = ({ data }: Part<"redacted-thinking">, id: string): Fields => ({
  type: "reasoning",
  id,
  status: "completed",
  summary: [],
  encrypted_content: redactedPrefix + data,
});

/** Undefined for an image that is somewhere else: only bytes have a place here. */
export const imageItem = ({ source }: Part<"image">, id: string): Fields | undefined =>
  source.kind === "data" ? { type: "image_generation_call", id, status: "completed", result: source.data } : undefined;
