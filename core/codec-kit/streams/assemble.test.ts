import { expect, it } from "vitest";
import { stepsOf } from "../../../test/support/steps.ts";
import type { StreamChunk } from "../../model/stream.ts";
import { assembler } from "./assemble.ts";

/** Texts of a token each, with what is said beside them. */
const chunks = (count: number): StreamChunk[] =>
  Array.from({ length: count }, (_, at) => ({
    type: "text-delta",
    choice: 0,
    part: 0,
    text: "a",
    citations: [{ at }],
    logprobs: { content: [{ token: "a", logprob: -at }] },
    extra: { format: "own", fields: { tokens: [at] } },
  }));

it("joins lists that come in pieces, and changes none of them", () => {
  const given = chunks(3);
  const all = assembler();
  for (const chunk of given) all.add(chunk);
  expect(all.chat().choices[0]).toMatchObject({
    content: [{ text: "aaa", citations: [{ at: 0 }, { at: 1 }, { at: 2 }], extra: { fields: { tokens: [0, 1, 2] } } }],
    logprobs: { content: [{ logprob: -0 }, { logprob: -1 }, { logprob: -2 }] },
  });
  expect(given).toEqual(chunks(3));
});

it("goes through no list anew for every piece of it", () => {
  const steps = (count: number) => {
    const given = chunks(count);
    const all = assembler();
    return stepsOf(() => {
      for (const chunk of given) all.add(chunk);
    });
  };
  // More than linear growth is sixteen times.
  expect(steps(160) / steps(40)).toBeLessThan(5);
});
