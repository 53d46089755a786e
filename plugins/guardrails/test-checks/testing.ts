/** Checks that tests load as files: their source, for the module they import. */

/** A check that waits, throws, or answers oddly, as its parameters say. */
export const oddCheck = (surface: string) => `
import { CheckError, defineCheck, z } from "${surface}";
export default defineCheck({
  id: "test.odd",
  summary: "Does what its parameters say.",
  parameters: z.object({ does: z.string(), verdict: z.boolean().default(true) }),
  async run({ text, subject }, { does, verdict }) {
    if (does === "throw") throw new TypeError("secret inside");
    if (does === "refuse") throw new CheckError("Not today.", { label: "NotToday" });
    if (does === "hang") return new Promise(() => {});
    if (does === "garbage") return undefined;
    if (does === "late") await new Promise((resolve) => setTimeout(resolve, 50));
    if (does === "large") return { verdict, data: "x".repeat(10_000_000) };
    if (does === "huge error") throw new CheckError("x".repeat(10_000_000), { data: { body: "y".repeat(10_000_000) } });
    if (does === "loop") { const data = {}; data.self = data; return { verdict, data }; }
    if (does === "number") return { verdict, data: { count: 1n } };
    if (does === "maybe") return { verdict: "yes" };
    if (does === "numbers") return { verdict, texts: [1] };
    if (does === "no body") return { verdict, json: 7 };
    if (does === "shout") return { verdict, texts: [text.toUpperCase()] };
    return { verdict, data: { json: subject.request.json, answer: subject.response?.json, text } };
  },
});
`;

/** Takes out digits in passing, and fails on them when it is told to. */
export const digitsCheck = (surface: string) => `
import { defineCheck, redactedTexts, z } from "${surface}";
const redactor = {
  window: 4,
  context: 0,
  find(text, from = 0) {
    const found = [...text.slice(from).matchAll(/\\d{1,4}/g)];
    return found.map(({ index, 0: matched }) => ({ start: from + index, end: from + index + matched.length, kind: "digits" }));
  },
  replacement: () => "#",
};
export default defineCheck({
  id: "test.digits",
  summary: "Takes out digits.",
  parameters: z.object({ fail: z.boolean().default(false) }),
  redactor: () => redactor,
  run({ texts }, { fail }) {
    const { texts: replaced, found } = redactedTexts(texts, () => redactor);
    return { verdict: !(fail && found.length > 0), data: { found: found.length }, ...(found.length > 0 && { texts: replaced }) };
  },
});
`;

/** Judges in passing: fails on a word, and has no verdict where something else is said. */
export const fickleCheck = (surface: string) => `
import { CheckError, defineCheck, z } from "${surface}";
export default defineCheck({
  id: "test.fickle",
  summary: "Fails on a word; does not understand oops.",
  parameters: z.object({ word: z.string() }),
  window: 4,
  run({ text }, { word }) {
    if (text.includes("oops")) throw new CheckError("What?");
    return { verdict: !text.includes(word) };
  },
});
`;

/** Gives a promise, and does not look like it. */
export const promisedCheck = (surface: string) => `
import { defineCheck, z } from "${surface}";
export default defineCheck({
  id: "test.promised",
  summary: "Passes when it is told to, later.",
  parameters: z.object({ verdict: z.boolean() }),
  run: (_, { verdict }) => Promise.resolve({ verdict }),
});
`;
