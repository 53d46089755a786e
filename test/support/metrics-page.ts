import { exchangeMetrics, unknownCost } from "../../plugins/metrics/exchange/table.ts";
import { foldedMetric } from "../../plugins/metrics/registry/folded.ts";
import { runtimeMetrics } from "../../plugins/metrics/runtime.ts";
import { missingMetric } from "../../plugins/metrics/scrape.ts";
import { aligned } from "./option-tables.ts";

const start = "<!-- metrics:start -->";
const end = "<!-- metrics:end -->";

/** The page of the metrics plugin, with its list of metrics renewed. */
export function withMetrics(page: string): string {
  const declared = [...Object.values(exchangeMetrics), unknownCost, foldedMetric, missingMetric];
  const rows = [
    ...declared.map(({ name, type, help }) => [name, type, help]),
    ...runtimeMetrics.map(([name, type, help]) => [name, type, help]),
  ].map(([name, type, help]) => `| \`${name}\` | ${type} | ${help} |`);
  const table = aligned(["| name | type | meaning |", "| --- | --- | --- |", ...rows].join("\n"));
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for the list of metrics: ${start} and ${end}`);
  return `${page.slice(0, from + start.length)}\n\n${table}\n\n${page.slice(to)}`;
}
