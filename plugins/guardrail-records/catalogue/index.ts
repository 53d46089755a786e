import { builtIn } from "./built-in.ts";
import { hosted } from "./hosted.ts";
import type { CheckEntry } from "./parameters.ts";
import { partners } from "./partners.ts";

const entries: ReadonlyMap<string, CheckEntry> = new Map(
  [...builtIn, ...hosted, ...partners].flatMap((entry) =>
    [entry.id, ...(entry.aliases ?? [])].map((id) => [id, entry] as const),
  ),
);

/** A check by its id or another spelling of it. */
export const checkNamed = (id: string): CheckEntry | undefined => entries.get(id);

export type { CheckEntry } from "./parameters.ts";
