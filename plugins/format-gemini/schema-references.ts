import { compact, type Fields } from "../../core/index.ts";

/** How many references are put in place at most: of types that all refer to each other there is no end in any useful time. */
export const mostPlaced = 1000;
/** How many of them one within the other. */
export const deepest = 32;

/** What can be said of a target without its details. */
export const outlineOf = ({ type = "object", title, description }: Readonly<Fields> = {}): Fields => ({
  type,
  ...compact({ title, description }),
});
