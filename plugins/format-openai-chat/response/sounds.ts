import type { AssistantPart, EncodeContext, Fields } from "../../../core/index.ts";

/** The field of a message, or of a delta, in which this API says what the model speaks (providers.md section 7.6). */
export const soundField = "audio";

/** The bytes of a sound in an answer, as base64; undefined for other parts. */
export const soundIn = (part: AssistantPart): string | undefined =>
  part.type === "audio" && part.source.kind === "data" ? part.source.data : undefined;

/** A sound as the field has it. Its vendor gives it no id: it has that of the answer, which is the same in all pieces of it. */
export const soundOf = (data: string, { id }: Pick<EncodeContext, "id">): Fields => ({ id: `audio-${id}`, data });

/**
 * The sound of a whole answer, with what typed clients of this API rely on (openai 7.59, `ChatCompletionAudio`): nobody keeps it to be gone
 * on with, and what is said in it was not written down.
 */
export const wholeSound = (data: string, context: Pick<EncodeContext, "id" | "now">): Fields => ({
  ...soundOf(data, context),
  expires_at: context.now,
  transcript: "",
});

/** What pieces of base64 are together: each may end with padding. */
export function joinedSounds(pieces: readonly string[]): string | undefined {
  if (pieces.length < 2) return pieces[0];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64"))).toString("base64");
}
