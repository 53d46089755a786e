import { expect, it } from "vitest";
import { labelled, personalLines, secretLines } from "./corpus.ts";
import { personal } from "./personal.ts";
import { findings, type Recogniser } from "./recogniser.ts";
import { secrets } from "./secrets.ts";

interface Score {
  found: number;
  right: number;
  marked: number;
}

/** By kind, and for all of them: what was found, what of it was marked so, and what was marked. */
function scores(lines: readonly string[], recognisers: readonly Recogniser[]) {
  const byKind = new Map<string, Score>();
  const missed: string[] = [];
  const score = (kind: string) => {
    const one = byKind.get(kind) ?? { found: 0, right: 0, marked: 0 };
    byKind.set(kind, one);
    return one;
  };
  for (const { text, marks } of lines.map(labelled)) {
    const found = findings(recognisers, text);
    const same = (a: { kind: string; start: number; end: number }, b: typeof a) =>
      a.kind === b.kind && a.start === b.start && a.end === b.end;
    for (const mark of marks) {
      score(mark.kind).marked++;
      if (!found.some((one) => same(one, mark))) missed.push(`missed ${mark.kind} in: ${text}`);
    }
    for (const one of found) {
      score(one.kind).found++;
      if (marks.some((mark) => same(one, mark))) score(one.kind).right++;
      else missed.push(`wrong ${one.kind} "${text.slice(one.start, one.end)}" in: ${text}`);
    }
  }
  return { byKind, missed };
}

it.each([
  ["personal", personalLines, personal, { precision: 0.9, recall: 0.8 }],
  ["secret", secretLines, secrets, { precision: 0.9, recall: 0.6 }],
] as const)("finds %s things in the corpus, and little else", (name, lines, recognisers, floor) => {
  const { byKind, missed } = scores(lines, recognisers);
  const table = [...byKind].map(([kind, { found, right, marked }]) => ({
    kind,
    marked,
    precision: found === 0 ? 1 : right / found,
    recall: marked === 0 ? 1 : right / marked,
  }));
  console.log(
    [
      `${name}: ${lines.length} lines`,
      ...table.map(
        (row) => `${row.kind} (${row.marked}): precision ${row.precision.toFixed(2)}, recall ${row.recall.toFixed(2)}`,
      ),
      ...missed,
    ].join("\n"),
  );
  for (const { kind, precision, recall } of table) {
    expect(precision, `precision of ${kind}`).toBeGreaterThanOrEqual(floor.precision);
    expect(recall, `recall of ${kind}`).toBeGreaterThanOrEqual(floor.recall);
  }
});

it("finds the same where a stream has passed what stands before it", () => {
  for (const recogniser of [...personal, ...secrets])
    for (const { text } of [...personalLines, ...secretLines].map(labelled)) {
      const [first] = findings([recogniser], text);
      if (!first) continue;
      for (let from = 1; from <= first.start; from++)
        expect(findings([recogniser], text, from)[0], `${recogniser.kind} from ${from} in: ${text}`).toEqual(first);
    }
});
