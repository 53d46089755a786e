import type { EncodeContext } from "../../core/index.ts";

/** The context of an answer in which nothing is left out. */
export const vendorContext: EncodeContext = {
  provider: "vendor",
  model: "m",
  strict: true,
  now: 1_767_600_000,
  id: "r4nd0m",
  includeUsage: true,
};
