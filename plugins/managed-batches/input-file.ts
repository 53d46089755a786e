import { type BatchError, GatewayError } from "../../core/index.ts";
import type { Work } from "./working.ts";

/** The file that a batch reads was deleted. */
export class InputGone extends Error {
  override readonly name = "InputGone";
}

/** What the file of a batch holds. Throws `InputGone` where it is no longer there. */
export async function readInput({ working, batch }: Work, part?: { from: number }): Promise<AsyncIterable<Buffer>> {
  try {
    return await working.files.read({ id: batch.document.asked.inputFileId }, part);
  } catch (error) {
    if (error instanceof GatewayError && error.code === "item_unknown") throw new InputGone();
    throw error;
  }
}

export const inputGone = (id: string): BatchError => ({
  code: "file_not_found",
  message: `The file "${id}" is no longer there.`,
});
