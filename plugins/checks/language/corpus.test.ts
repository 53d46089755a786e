import { expect, it } from "vitest";
import { sentences } from "./corpus.ts";
import { languagesOf } from "./detect.ts";

it("names the language of most sentences of the corpus", () => {
  const told = sentences.map(([language, text]) => ({ language, text, best: languagesOf(text)[0]?.label }));
  const right = told.filter(({ language, best }) => language === best);
  const share = right.length / told.length;
  console.log(
    [
      `language: ${right.length} of ${told.length} sentences, ${share.toFixed(2)}`,
      ...told
        .filter(({ language, best }) => language !== best)
        .map(({ language, best, text }) => `${language} taken for ${best}: ${text}`),
    ].join("\n"),
  );
  expect(share).toBeGreaterThanOrEqual(0.85);
});

it.each(["", "42", "ok", "…", "hmm hmm hmm"])("does not guess at %j", (text) => expect(languagesOf(text)).toEqual([]));
