/** A version of a prompt as callers refer to it (prompts.md section 4). */
export interface PromptReference {
  /** A slug or an id. */
  readonly ref: string;
  readonly version: VersionReference;
}

export type VersionReference =
  | { readonly kind: "published" }
  | { readonly kind: "latest" }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "label"; readonly name: string };

/** `slug`, `slug@12`, `slug@latest`, `slug@default`, `slug@label`. */
export function promptReference(text: string): PromptReference {
  const at = text.lastIndexOf("@");
  if (at < 0) return { ref: text, version: { kind: "published" } };
  return { ref: text.slice(0, at), version: versionReference(text.slice(at + 1)) };
}

function versionReference(suffix: string): VersionReference {
  if (/^\d+$/.test(suffix)) return { kind: "number", number: Number(suffix) };
  if (suffix === "latest") return { kind: "latest" };
  return suffix === "default" ? { kind: "published" } : { kind: "label", name: suffix };
}
