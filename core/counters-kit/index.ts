/** What plugins that provide the service `counters` are made from. */
export { boundedLimit, claimable, inRange, millionths, moment, mostCounted, rememberedFor } from "./amounts.ts";
export { MemoryCounters, type MemoryCountersOptions } from "./memory-counters.ts";
export { SupervisedCounters } from "./supervised-counters.ts";
export { WatchedStore, type WatchedStoreOptions } from "./watched-store.ts";
