import type { BoundProvider } from "../../core/index.ts";

/** Why a provider cannot be asked for embeddings as the gateway is set up, in words; undefined where it can. */
export function whyNoEmbeddings({ name, operations, usable, lacks }: BoundProvider): string | undefined {
  if (!operations.embed) return `no plugin that is loaded brings a format in which ${name} makes embeddings`;
  if (lacks !== undefined) return `it needs ${lacks}`;
  return usable ? undefined : "it has no credential";
}
