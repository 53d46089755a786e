import type { Borrowing } from "../../../core/index.ts";

/**
 * What Mistral's clients say in other words than everybody else (docs.mistral.ai/api, chat completions): who is asked for them is asked
 * in the usual ones, "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'" being the answer otherwise. Its own
 * vendor has its words from the provider.
 */

/** A choice of tools. */
export const mistralsRequired = "any";

/** A document. */
export const addressed = "document_url";

/** Documents, and images whose address stands without an object around it. */
const parts = [`"${addressed}"`, '"image_url":"', '"image_url": "'] as const;

/** What all of them have: short, and begun by something rare, it is found ten times as fast as they are. */
const inParts = Buffer.from('_url"');

export const saysOtherwise = (bytes: Buffer, { keys }: Borrowing): boolean =>
  (keys?.has("tool_choice") !== false && bytes.includes(`"${mistralsRequired}"`)) ||
  (bytes.includes(inParts) && parts.some((text) => bytes.includes(text)));
