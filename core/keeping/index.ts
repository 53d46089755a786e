/** A map that knows its oldest entry, for what is bounded. */
export { AgedMap } from "./aged-map.ts";
/** Leaves a service alone for a while after some failures in a row. */
export { Rest } from "./rest.ts";
