import type { Extra, Fields, ToolCallPart } from "../../../core/index.ts";
import { fieldsOf, isOwn } from "../extra.ts";
import type { Report } from "./vendor.ts";

/**
 * What clients that are not strict are given with answers of other vendors, and give back: blocks beside the content, or in it,
 * where they are known by the signature of thinking, and what stands at messages and calls. No vendor of this API knows any of it,
 * and many refuse what they do not know (Groq, Mistral, Fireworks, Cerebras).
 */
export const additions = ["content_blocks", "signature", "thought_signature", "citations"] as const;

/** The fields of a message of the model without those that were added to it. */
export function messageFields(extra: Extra | undefined, report: Report): Readonly<Fields> {
  const { inner } = fieldsOf(extra);
  if (!Array.isArray(inner.citations)) return inner;
  report("messages.citations");
  const { citations: _, ...rest } = inner;
  return rest;
}

/** A call without the signature of another vendor. */
export function unsignedCall(part: ToolCallPart, report: Report): ToolCallPart {
  const { extra } = part;
  if (!isOwn(extra) || extra.fields.thought_signature === undefined) return part;
  report("messages.thought_signature");
  const { thought_signature: _, ...fields } = extra.fields;
  return { ...part, extra: { ...extra, fields } };
}
