/** What stores of records are made from: a plugin brings a `RecordBackend`, and all of them behave alike. */

export { againWhen } from "./again-when.ts";
export type {
  ChangeSink,
  KeptShape,
  Position,
  RecordBackend,
  RecordRow,
  RowChange,
  RowPage,
  RowQuery,
  WriteResult,
} from "./backend.ts";
export { type Kept, type KeptOptions, keptRecords } from "./kept.ts";
export { type KeptListsOptions, keptLists } from "./kept-lists.ts";
export { type RecordStore, recordStore } from "./store.ts";
export { storeDown } from "./store-down.ts";
