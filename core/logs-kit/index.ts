/** What stores of logs are made from. */
export type * from "./backend.ts";
export { keptLog, withHead } from "./packed-log.ts";
export { type Retention, retentionOptions } from "./retention.ts";
export { type LogStore, type LogStoreOptions, logStore } from "./store.ts";
