import { type Fields, isRecord, readSignature, type Signed, unsigned, writeSignature } from "../../core/index.ts";
import { formatName } from "./fields.ts";

/**
 * Proofs are bytes in this API, and its SDKs decode them (`[]byte` of Go, `bytes` of Python): one that says whose it is has to be
 * base64 as well, or they cannot read the answer it stands in.
 */
const marked = /^signed-by:/;
const encoded = (text: string): string => Buffer.from(text).toString("base64");

/** What all that are written so begin with: whole characters, and the first of the one that the colon begins. */
const begin = encoded("signed-by:").slice(0, 13);
export const borrowedProof = `"${begin}`;

export const written = (proof: string): string => (marked.test(proof) ? encoded(proof) : proof);
export const readable = (proof: string): string =>
  proof.startsWith(begin) ? Buffer.from(proof, "base64").toString("utf8") : proof;

export const writeProof = (proof: Partial<Signed>): string => written(writeSignature(proof, formatName));
export const readProof = (proof: string): Partial<Signed> => readSignature(readable(proof), formatName);

/** The proof of a part under the name it is known by in all formats; none where it says that there is none. */
export function proofIn({ thoughtSignature: proof }: Readonly<Fields>): Fields {
  return typeof proof === "string" && readable(proof) !== unsigned ? { thought_signature: proof } : {};
}

const unsignedCall = encoded(unsigned);

/**
 * Calls as clients are given them. Newer models refuse a history in which the first call of an answer has no proof, which those
 * of others have not: it says so, and the vendor is given what it takes in place of one. Who made a call that has no id is Gemini.
 */
export class CallProofs {
  #any = false;

  mark(call: Fields): Fields {
    const isFirst = !this.#any;
    this.#any = true;
    const { functionCall: made, thoughtSignature: proof } = call;
    return isFirst && proof === undefined && isRecord(made) && made.id !== undefined
      ? Object.assign({}, call, { thoughtSignature: unsignedCall })
      : call;
  }
}
