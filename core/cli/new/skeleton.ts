import type { Importing } from "./imports.ts";

/** What a skeleton is made from. */
export interface SkeletonInput {
  /** Lower case with hyphens. */
  readonly name: string;
  readonly importing: Importing;
  /** How the config file loads it: a built-in name needs no `use`. */
  readonly builtIn: boolean;
}

/** What most clients speak: the format of the gateway's own chat endpoint. */
export interface ClientFormat {
  readonly name: string;
  /** Where clients call the gateway. */
  readonly endpoint: string;
  /** Where vendors are called, below their base URL. */
  readonly path: string;
}

export interface SkeletonFile {
  /** Below the folder the skeleton is written into. */
  readonly path: string;
  readonly text: string;
}

export interface Skeleton {
  readonly files: readonly SkeletonFile[];
  /** What to do next, the lines to paste first. */
  readonly next: string;
}

/** `acme-labs` → `Acme Labs`. */
export const title = (name: string): string =>
  name
    .split("-")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(" ");

/** `acme-labs` → `acmeLabs`. */
export const camelCase = (name: string): string =>
  name.replace(/-+([a-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
