import { type Extra, type Fields, type Signed, writeSignature } from "../../../core/index.ts";
import { isOwn } from "../extra.ts";
import { blockFormat } from "../request/decode-blocks.ts";

/** Gemini signs its tool calls, and wants the signature back with the history. */
export const signatureOf = (extra: Extra | undefined): Fields => {
  const signature = isOwn(extra) ? undefined : extra?.fields.thought_signature;
  return typeof signature === "string" ? { thought_signature: signature } : {};
};

/** The proof that goes with a thinking block, and whose it is where blocks do not have such proofs. */
export const proofIn = (proof: Partial<Signed>): Fields => ({ signature: writeSignature(proof, blockFormat) });
