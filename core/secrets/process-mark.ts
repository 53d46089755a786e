import { createHmac, randomBytes } from "node:crypto";

/** Nobody else has it, and nobody keeps it: a mark is good for comparing in this process, and tells nothing elsewhere. */
const key = randomBytes(32);

/** A text for a value with all its secrets, to see later whether one is the same. Never to leave this process. */
export const processMark = (value: unknown): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(revealed(value)) ?? "")
    .digest("base64");

/** A package with its own copy of the gateway has a Secret class of its own. */
function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("reveal" in value && typeof value.reveal === "function") return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]));
}
