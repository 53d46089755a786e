import { expect, it } from "vitest";
import { attacks, harmless } from "./corpus.ts";
import { scoreOf, signalsIn } from "./signals.ts";

it("tells most attacks of the corpus from what people mean", () => {
  const flagged = (text: string) => scoreOf(signalsIn(text)) >= 0.5;
  const found = attacks.filter(flagged);
  const wrong = harmless.filter(flagged);
  const precision = found.length / (found.length + wrong.length);
  const recall = found.length / attacks.length;
  console.log(
    [
      `prompt injection: ${attacks.length} attacks, ${harmless.length} others; precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`,
      ...attacks.filter((text) => !flagged(text)).map((text) => `missed: ${text}`),
      ...wrong.map((text) => `wrong: ${text} ${JSON.stringify(signalsIn(text))}`),
    ].join("\n"),
  );
  expect(precision).toBeGreaterThanOrEqual(0.9);
  expect(recall).toBeGreaterThanOrEqual(0.8);
});
