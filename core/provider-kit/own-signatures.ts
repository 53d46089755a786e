import { readSignature, writeSignature } from "../codec-kit/chat/signatures.ts";
import { isRecord } from "../codec-kit/records.ts";
import type { OperationSpec } from "../model/operation-spec.ts";

type Wire = Record<string, unknown>;

/**
 * What a vendor of the Messages API needs whose models are no Claudes, and who signs what they think by itself: its signatures say so
 * (decision 0039), for Anthropic refuses a conversation in which it finds them.
 */
export const ownSignatures = (
  signer: string,
  format: string,
): Pick<OperationSpec, "signer" | "normalise" | "normaliseFrame"> => {
  const marked = (holder: unknown): unknown =>
    isRecord(holder) && typeof holder.signature === "string"
      ? { ...holder, signature: writeSignature(readSignature(holder.signature, signer), format) }
      : holder;
  return {
    signer,
    normalise: (wire) => (Array.isArray(wire.content) ? { ...wire, content: wire.content.map(marked) } : wire),
    normaliseFrame: (wire) => markedFrame(wire, marked),
  };
};

function markedFrame(wire: Wire, marked: (holder: unknown) => unknown): Wire {
  if (wire.type === "content_block_start") return { ...wire, content_block: marked(wire.content_block) };
  return wire.type === "content_block_delta" ? { ...wire, delta: marked(wire.delta) } : wire;
}
