/** A map that knows its oldest entry, for what is bounded. */
export { AgedMap } from "./aged-map.ts";
/** Leaves a service alone for a while after some failures in a row. */
export { Rest } from "./rest.ts";
/** The same trouble once a minute. */
export { seldom } from "./seldom.ts";
/** Who takes over what waits when a generation is replaced. */
export { Succession } from "./succession.ts";
