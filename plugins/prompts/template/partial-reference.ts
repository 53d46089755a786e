/** A partial as a template refers to it (prompts.md section 2.2). */
export interface PartialReference {
  /** A slug or an id. */
  readonly ref: string;
  readonly version: number | "published" | "latest" | "unknown";
}

/** `slug`, `slug@5`, `slug@latest`. Labels are for prompts. */
export function partialReference(text: string): PartialReference {
  const at = text.lastIndexOf("@");
  if (at < 0) return { ref: text, version: "published" };
  const suffix = text.slice(at + 1);
  const version = /^\d+$/.test(suffix) ? Number(suffix) : suffix === "latest" ? suffix : "unknown";
  return { ref: text.slice(0, at), version };
}
