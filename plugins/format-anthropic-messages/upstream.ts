import type { Fields, Format } from "../../core/index.ts";

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;

/** Models take one of temperature and top-p: the former counts, in requests that come in this format, too (section 10.1). */
function oneOfBoth(wire: Readonly<Fields>, report?: (dropped: string) => void): Fields {
  if (!isSaid(wire.temperature) || !isSaid(wire.top_p)) return wire;
  const { top_p: _, ...rest } = wire;
  report?.("top_p");
  return rest;
}

/**
 * Bodies written for clouds that host Claude say these two; who serves the API as its maker does takes them as headers, and refuses them
 * as fields.
 */
export const bodyHeaders = { anthropic_version: "anthropic-version", anthropic_beta: "anthropic-beta" } as const;

/** How this format is served, whoever serves it. */
export const upstream: NonNullable<Format["upstream"]> = {
  path: "/messages",
  bodyHeaders,
  rewrite: { when: ['"top_p"'], apply: oneOfBoth },
};
