import type { Format } from "../../core/index.ts";

/** "Must be a-z, A-Z, 0-9, or contain underscores, colons, dots, and dashes", and on Google's cloud not begin with a digit or a mark. */
export const toolNames: NonNullable<Format["toolNames"]> = {
  allowed: /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  others: /[^A-Za-z0-9_.:-]/g,
  longest: 128,
};
