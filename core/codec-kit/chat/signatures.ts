import type { Extra } from "../../model/content.ts";
import type { StreamChunk } from "../../model/stream.ts";

/**
 * Vendors verify the proof that goes with thinking, and refuse another one's. A client may be answered by several: what it
 * is given in a place where its format has the proofs of one says whose it is, and the name comes back with the history.
 */
const mark = /signed-by:([a-z-]+):/g;

/** What stands in the bytes of a request where such a proof does. */
export const borrowedSignature = '"signed-by:';

/** A proof of origin, and the format whose vendor it is for. */
export interface Signed {
  readonly signature: string;
  readonly signer?: string;
}

/** A proof as a format writes it that has those of `own`. */
export function writeSignature({ signature = "", signer }: Partial<Signed>, own: string): string {
  return signature === "" || signer === undefined || signer === own ? signature : `signed-by:${signer}:${signature}`;
}

/** What stands where a format wants a proof and there is none. */
export const unsigned = "signed-by:nobody:";

/** A proof that was written so, in one piece or in several; nothing where there is none. */
export function readSignature(text: string, own: string): Partial<Signed> {
  if (!text.startsWith("signed-by:")) return { signature: text, signer: own };
  const signature = text.replace(mark, "");
  const [, signer = own] = text.match(/^signed-by:([a-z-]+):/) ?? [];
  return signature === "" ? {} : { signature, signer };
}

/** Gemini's models sign what they call. No other format has a place for that: it travels as thinking before the call. */
const ofCall = "call:";

/** The proof of a call that one of its format's vendors wants back, as thinking has it; none where there is none. */
export function callProof(extra: Extra | undefined): Required<Signed> | undefined {
  const proof = extra?.fields.thought_signature;
  return extra && typeof proof === "string" && proof !== ""
    ? { signature: ofCall + proof, signer: extra.format }
    : undefined;
}

/** The proof that thinking carries for the call behind it; undefined where it is the thinking's own. */
export const proofForCall = ({ signature }: Partial<Signed>): string | undefined =>
  signature?.startsWith(ofCall) ? signature.slice(ofCall.length) : undefined;

/** Whether a part has a proof that vendors of `own` can verify; one that nobody knows the origin of is believed. */
export const isSignedFor = ({ signature, signer }: Partial<Signed>, own: string): boolean =>
  signature !== undefined && signature !== "" && !isSignedElsewhere({ signer }, own);

export const isSignedElsewhere = ({ signer }: { readonly signer?: string | undefined }, own: string): boolean =>
  signer !== undefined && signer !== own;

/** The proof that came in a stream for a part, as its chunk; none where there is none. */
export function proofChunks(choice: number, part: number, text: string, own: string): StreamChunk[] {
  const { signature, signer } = readSignature(text, own);
  if (signature === undefined) return [];
  return [{ type: "thinking-signature", choice, part, signature, ...(signer !== undefined && { signer }) }];
}
