import type { Fields, Usage } from "../../core/index.ts";

/** Settings of the unified request that vendors have names of their own for. */
export type Setting =
  | "n"
  | "quality"
  | "style"
  | "outputFormat"
  | "outputCompression"
  | "negativePrompt"
  | "seed"
  | "user";

/** What a vendor's image API is made of (providers.md sections 8.7, 9.8, 13, 14 and 16). */
export interface Vendor {
  readonly names: Readonly<Partial<Record<Setting, string>>>;
  /** How it takes a size: as two numbers, as it stands, or as the nearest of some ratios. */
  readonly size?:
    | {
        readonly width: string;
        readonly height: string;
        /** The measures it makes that are nearest to some. */
        readonly fit?: (width: number, height: number) => readonly [width: number, height: number];
      }
    | { readonly name: string; readonly ratios?: readonly string[] };
  /** Fields of the unified request that are there for this vendor: whatever there is, where its models differ in them. */
  readonly takes?: readonly string[] | "all";
  /** The body says the model, or such a model; otherwise its address does. */
  readonly saysModel?: true | ((model: string) => boolean);
  /** Images of one call at most: who asks for more is given so many. */
  readonly most?: number;
  /** What its images come as, where the client has no say in it. */
  readonly gives?: "b64_json" | "url";
  /** The field that asks for the image itself or for its address, where the client has a say, and its values for that. */
  readonly asks?: { readonly name: string; readonly bytes: unknown; readonly url: unknown };
  /** Its requests are forms, in which these fields are files. */
  readonly form?: { readonly files: readonly string[] };
  /** How the answer is wanted, where it might come as the image itself, which says nothing of what was filtered. */
  readonly accept?: string;
  /** Puts the fields, of which `prompt` is one, in their places. */
  readonly place?: (fields: Readonly<Fields>, report: (dropped: string) => void) => Fields;
  /** The images of an answer: texts, or objects with one. */
  readonly images: (wire: Readonly<Fields>) => unknown;
  /** What its filters said of each image, in order; nothing of those they let pass. */
  readonly filtered?: (wire: Readonly<Fields>) => readonly unknown[] | undefined;
  /** The tokens of an answer, where they are told. */
  readonly usage?: (wire: Readonly<Fields>) => Usage | undefined;
  /** Below the base URL; absent where the provider says it. */
  readonly path?: (model: string) => string;
}
