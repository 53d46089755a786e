import type { Format } from "../../model/format.ts";

/** Whether a client of one format says what vendors of the other one are told, be it in another wrapping. */
export const hasWordsOf = (client: Format, upstream: Format): boolean =>
  client === upstream || client.dialectOf === upstream.name;
