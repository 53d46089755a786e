import { expect } from "vitest";

/** One line of the text. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const helpLine = /^# HELP ([a-zA-Z_:][\w:]*) ((?:[^\\]|\\\\|\\n)*)$/;
const typeLine = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,(?!\})|(?=\})))+)\})? (\S+)$/;
const number = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/g;

/** Reads text format 0.0.4 as strictly as it can be read; what does not fit fails the test. */
export function parsed(text: string): ReadonlyMap<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily & { samples: Sample[] }>();
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.slice(0, -1).split("\n");
  let family: (ParsedFamily & { samples: Sample[] }) | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("# HELP")) {
      const [, name = "", help = ""] = helpLine.exec(line) ?? expect.fail(`no help: ${line}`);
      const [, typed, type = ""] = typeLine.exec(lines[++at] ?? "") ?? expect.fail(`no type after: ${line}`);
      expect(typed).toBe(name);
      expect(families.has(name), `${name} stands there twice`).toBe(false);
      family = { name, type, help, samples: [] };
      families.set(name, family);
      continue;
    }
    const sample = sampleIn(line);
    const base = family?.type === "histogram" ? sample.name.replace(/_(?:bucket|sum|count)$/, "") : sample.name;
    expect(base, line).toBe(family?.name);
    family?.samples.push(sample);
  }
  for (const one of families.values()) check(one);
  return families;
}

function sampleIn(line: string): Sample {
  const [, name = "", pairs = "", value = ""] = sampleLine.exec(line) ?? expect.fail(`no sample: ${line}`);
  expect(value, line).toMatch(number);
  const labels: Record<string, string> = {};
  for (const [, label = "", written = ""] of pairs.matchAll(labelPair)) {
    expect(labels, line).not.toHaveProperty([label]);
    labels[label] = written.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
  }
  return { name, labels, value: Number(value) };
}

/** No series twice; buckets that grow up to infinity, where all observations are. */
function check({ name, type, samples }: ParsedFamily): void {
  expect(samples.length, name).toBeGreaterThan(0);
  const keys = samples.map((sample) => JSON.stringify([sample.name, sample.labels]));
  expect(new Set(keys).size, name).toBe(keys.length);
  if (type !== "histogram") return;
  const histograms = new Map<string, Sample[]>();
  for (const one of samples) histograms.set(seriesOf(one), [...(histograms.get(seriesOf(one)) ?? []), one]);
  for (const [series, own] of histograms) {
    const buckets = own.filter((one) => one.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le)));
    expect(bounds, series).toEqual([...bounds].sort((one, other) => one - other));
    expect(bounds.at(-1), series).toBe(Number.POSITIVE_INFINITY);
    const counts = buckets.map(({ value }) => value);
    expect(counts, series).toEqual([...counts].sort((one, other) => one - other));
    const rest = own.filter((one) => one.name !== `${name}_bucket`).map((one) => [one.name, one.value]);
    expect(
      rest.map(([each]) => each),
      series,
    ).toEqual([`${name}_sum`, `${name}_count`]);
    expect(rest[1]?.[1], series).toBe(counts.at(-1));
  }
}

const seriesOf = ({ labels: { le: _, ...others } }: Sample): string => JSON.stringify(others);

/** The sum of a metric's values under these labels; of a histogram `NAME_count` and `NAME_sum`. Undefined without any. */
export function totalOf(
  families: ReadonlyMap<string, ParsedFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  let total: number | undefined;
  for (const { samples } of families.values())
    for (const sample of samples) {
      if (sample.name !== name) continue;
      if (Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
        total = (total ?? 0) + sample.value;
    }
  return total;
}
