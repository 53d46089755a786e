/** Holds providers to what every provider has to do. */
export { type CheckInput, checkProvider } from "./check-provider.ts";
export { fixturesFolder } from "./fixtures.ts";
export {
  type Cell,
  type Column,
  type ConformanceReport,
  type ConformanceRow,
  columns,
  type FixtureRow,
  rowName,
} from "./report.ts";
