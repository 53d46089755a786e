import { describe, expect, it } from "vitest";
import { keepingLogger } from "../../../test/support/gateway.ts";
import { bucketsIn, usualBuckets } from "../buckets.ts";
import { parsed, totalOf } from "../testing.ts";
import { Declarations } from "./declarations.ts";
import { exposition } from "./exposition.ts";
import type { Family } from "./family.ts";
import { foldedCounts } from "./folded.ts";
import { merged } from "./merge.ts";

const log = keepingLogger();
const declarationsOn = (kept: Map<string, Family>, maxSeries = 100) =>
  new Declarations({ kept, maxSeries, buckets: [1, 10], reserved: ["app"], log });

const read = async ({ families }: Declarations) =>
  parsed(await exposition([...families.map(({ counted }) => counted), foldedCounts(families)], [["app", "a"]]));

const verdicts = { name: "verdict_count", help: "Verdicts.\nOf \\ checks.", labels: ["check"] };

it("writes counters and histograms of plugins", async () => {
  const declarations = declarationsOn(new Map());
  const counter = declarations.counter(verdicts);
  counter.add(1, 'a "check"');
  counter.add(2, 'a "check"');
  for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) counter.add(amount, 'a "check"');
  const histogram = declarations.histogram({ name: "took", help: "Took.", labels: [] });
  for (const value of [0.5, 1, 2, 11, Number.NaN]) histogram.observe(value);
  const text = await exposition(
    declarations.families.map(({ counted }) => counted),
    [],
  );
  expect(text).toBe(`# HELP verdict_count Verdicts.\\nOf \\\\ checks.
# TYPE verdict_count counter
verdict_count{check="a \\"check\\""} 3
# HELP took Took.
# TYPE took histogram
took_bucket{le="1"} 2
took_bucket{le="10"} 3
took_bucket{le="+Inf"} 4
took_sum 14.5
took_count 4
`);
  parsed(text);
});

it("takes too few label values, and too many, as they come", async () => {
  const declarations = declarationsOn(new Map());
  const counter = declarations.counter({ name: "n", help: "N.", labels: ["a", "b"] });
  counter.add(1, "x");
  counter.add(1, "x", "y", "z");
  const families = await read(declarations);
  expect(totalOf(families, "n", { a: "x", b: "" })).toBe(1);
  expect(totalOf(families, "n", { a: "x", b: "y" })).toBe(1);
});

it.each([
  ["other labels", { ...verdicts, labels: ["other"] }, /declared with other labels/],
  ["no name", { ...verdicts, name: "1st" }, /no name of a metric/],
  ["a label that cannot be", { ...verdicts, name: "n", labels: ["a-b"] }, /the label "a-b"/],
  ["a label that every metric has", { ...verdicts, name: "n", labels: ["app"] }, /the label "app"/],
  ["a label twice", { ...verdicts, name: "n", labels: ["a", "a"] }, /the label "a"/],
])("refuses a metric with %s", (_, metric, message) => {
  const declarations = declarationsOn(new Map());
  declarations.counter(verdicts);
  expect(() => declarations.counter(metric)).toThrow(message);
});

it("refuses a metric of another kind, or with other buckets", () => {
  const declarations = declarationsOn(new Map());
  declarations.counter(verdicts);
  expect(() => declarations.histogram(verdicts)).toThrow(/another kind|of another/);
  declarations.histogram({ ...verdicts, name: "h" });
  expect(() => declarations.histogram({ ...verdicts, name: "h", buckets: [5] })).toThrow(/buckets/);
  expect(() => declarations.histogram({ ...verdicts, name: "i", buckets: [5, 5] })).toThrow(/ascending/);
});

describe("over generations", () => {
  it("goes on where the last one was, which may still count", async () => {
    const kept = new Map<string, Family>();
    const first = declarationsOn(kept);
    const before = first.counter(verdicts);
    first.keep();
    before.add(1, "a");
    const second = declarationsOn(kept);
    second.counter(verdicts).add(1, "a");
    second.keep();
    before.add(1, "a");
    expect(totalOf(await read(second), "verdict_count")).toBe(3);
  });

  it("begins anew where labels are others, and one that never served changes nothing", async () => {
    const kept = new Map<string, Family>();
    const first = declarationsOn(kept);
    first.counter(verdicts).add(1, "a");
    first.keep();
    declarationsOn(kept).counter({ ...verdicts, labels: ["check", "more"] });
    const third = declarationsOn(kept);
    third.counter(verdicts).add(1, "a");
    expect(totalOf(await read(third), "verdict_count")).toBe(2);
  });
});

it("counts what goes to other each time", async () => {
  const declarations = declarationsOn(new Map(), 2);
  const counter = declarations.counter(verdicts);
  for (const check of ["a", "b", "c", "d", "c", "a"]) counter.add(1, check);
  const families = await read(declarations);
  expect(totalOf(families, "verdict_count", { check: "a" })).toBe(2);
  expect(totalOf(families, "verdict_count", { check: "other" })).toBe(3);
  expect(totalOf(families, "metrics_folded_count", { metric: "verdict_count" })).toBe(3);
});

it("adds up what processes counted, series by series, without touching it", async () => {
  const [one, two] = [declarationsOn(new Map()), declarationsOn(new Map())];
  for (const [declarations, checks] of [
    [one, ["a", "b"]],
    [two, ["b", "c"]],
  ] as const)
    for (const check of checks) {
      declarations.counter(verdicts).add(1, check);
      declarations.histogram({ name: "took", help: "Took.", labels: ["check"] }).observe(5, check);
    }
  two.counter({ name: "only", help: "Only here.", labels: [] }).add(4);
  const countedBy = ({ families }: Declarations) => families.map(({ counted }) => counted);
  const told = JSON.parse(JSON.stringify(countedBy(two))) as ReturnType<typeof countedBy>;
  const families = parsed(await exposition(merged([countedBy(one), told]), []));
  expect(["a", "b", "c"].map((check) => totalOf(families, "verdict_count", { check }))).toEqual([1, 2, 1]);
  expect(totalOf(families, "took_sum", { check: "b" })).toBe(10);
  expect(totalOf(families, "only")).toBe(4);
  expect(totalOf(await read(one), "verdict_count")).toBe(2);
});

it("leaves out what another process counts by other labels", async () => {
  const [one, two] = [declarationsOn(new Map()), declarationsOn(new Map())];
  one.counter(verdicts).add(1, "a");
  two.counter({ ...verdicts, labels: ["check", "more"] }).add(1, "a", "b");
  const sums = merged([one, two].map(({ families }) => families.map(({ counted }) => counted)));
  expect(sums).toMatchObject([{ series: [{ values: ["a"], sum: 1 }] }]);
});

it.each<[string, string[], readonly number[]]>([
  ["as written", ["1", " 2.5", "1e3"], [1, 2.5, 1000]],
  ["none", [], usualBuckets.gcSeconds],
  ["not ascending", ["2", "1"], usualBuckets.gcSeconds],
  ["no numbers", ["1", "many"], usualBuckets.gcSeconds],
  ["nothing between commas", ["1", "", "2"], usualBuckets.gcSeconds],
])("takes buckets: %s", (_, written, wanted) => {
  const own = keepingLogger();
  expect(bucketsIn(written, usualBuckets.gcSeconds, "gcBuckets", own)).toEqual(wanted);
  expect(own.lines.length).toBe(written.length > 0 && wanted === usualBuckets.gcSeconds ? 1 : 0);
});
