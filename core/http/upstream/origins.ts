import type { Memory } from "../../keeping/remembered.ts";

/** How many answers about origins are kept: callers may name any number of them. */
export const origins: Memory = { most: 1_000, longest: 2_048 };
