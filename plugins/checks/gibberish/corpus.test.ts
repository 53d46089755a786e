import { expect, it } from "vitest";
import { harmless } from "../injection/corpus.ts";
import { gibberish, meaningful } from "./corpus.ts";
import { gibberishIn } from "./score.ts";

it("tells most gibberish of the corpus from what means something", () => {
  const flagged = (text: string) => gibberishIn(text).label !== "clean";
  const others = [...meaningful, ...harmless];
  const found = gibberish.filter(flagged);
  const wrong = others.filter(flagged);
  const precision = found.length / (found.length + wrong.length);
  const recall = found.length / gibberish.length;
  console.log(
    [
      `gibberish: ${gibberish.length} texts, ${others.length} others; precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`,
      ...gibberish.filter((text) => !flagged(text)).map((text) => `missed: ${text}`),
      ...wrong.map((text) => `wrong: ${text} ${gibberishIn(text).score}`),
    ].join("\n"),
  );
  expect(precision).toBeGreaterThanOrEqual(0.85);
  expect(recall).toBeGreaterThanOrEqual(0.8);
});
