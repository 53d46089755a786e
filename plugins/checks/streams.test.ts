import fc from "fast-check";
import { expect, it } from "vitest";
import { type Redactor, redacted } from "../../core/index.ts";
import { builtInChecks } from "./built-in.ts";
import { labelled, personalLines, secretLines } from "./pii/corpus.ts";

/** Parameters with which a check takes something out, by its id. */
const redacting: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "default.regexMatch": [{ rule: "/\\bb+\\b/g", redact: true }],
  "default.regexReplace": [
    { rule: "/\\d{4}/g", redactText: "#" },
    { rule: "\\d{2}", redactText: "#" },
    { rule: "/(?<!\\d)\\d{3}(?!\\d)/g" },
    { rule: "/a{1,3}|ab|b{2}/g", redactText: "" },
    { rule: "/^a|a$/g", redactText: "<a>" },
    { rule: "/^\\w{2}/gm", redactText: "<line>" },
    { rule: "/(?:a+b?)+/g" },
    { rule: "/(?:[ab]{1,4}[ ,]?){2,3}/g" },
    { rule: "/a/gy" },
    { rule: "/(?<!a)[12]{2}/g", redactText: "#" },
  ],
  "gateway.pii": [
    { categories: ["EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS", "CREDIT_CARD", "SSN", "IBAN"], redact: true },
    ...["EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS", "CREDIT_CARD", "SSN", "IBAN"].map((category) => ({
      categories: [category],
      redact: true,
    })),
  ],
  "gateway.secrets": [{ redact: true }, { kinds: ["AWS_ACCESS_KEY", "ASSIGNED_SECRET", "URL_PASSWORD"], redact: true }],
};

/**
 * As a stream does it: what a finding could still begin in, or could depend on, is held back; of what was released only
 * the context is kept.
 */
function inPieces(pieces: readonly string[], { window, context, find, replacement }: Redactor): string {
  let out = "";
  let text = "";
  let from = 0;
  let begins = 0;
  const release = (until: number) => {
    let at = from;
    for (const finding of find(text, from, begins)) {
      if (finding.start >= until) break;
      out += text.slice(at, finding.start) + replacement(finding, text.slice(finding.start, finding.end));
      at = finding.end;
    }
    const to = Math.max(at, until);
    out += text.slice(at, to);
    const kept = Math.max(0, to - context);
    text = text.slice(kept);
    begins += kept;
    from = to - kept;
  };
  for (const piece of pieces) {
    text += piece;
    if (window === undefined) continue;
    const until = text.length - window - context;
    if (until > from) release(until);
  }
  release(text.length);
  return out;
}

const lines = [...personalLines, ...secretLines].map((line) => labelled(line).text);
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", "1", "2", " ", "-", ".", "@", "\n", "x", "é", "😀"), maxLength: 20 }),
      fc.constantFrom(...lines),
      fc.constantFrom(
        "call ",
        "ssn: ",
        "password=",
        "+49 30 1",
        "4111 1111 1111 1111",
        "a@b.co",
        "AKIA",
        "://u:",
        "12121",
        "a2112211",
        "\\n",
        "\\u0041",
        '": 4111111111111111, "',
        '":[4111111111111111,\n  4111111111111111], "',
      ),
    ),
    { maxLength: 12 },
  )
  .chain((parts) => fc.constantFrom("", " ", "\n").map((between) => parts.join(between)))
  .chain((text) => fc.constantFrom("", '{"a":"').map((begins) => `${begins}${text}`));

/** There is something for each check to take out of it. */
const everything = ["a1 b bb 1234 12 345 ab aab aabb 12", ...lines].join("\n");

const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, next = 0; at < text.length; next++) {
    const size = sizes[next % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};

const checks = (await builtInChecks()).filter(({ redactor }) => redactor !== undefined);

it("has parameters for every check of our own that takes something out", () => {
  const ours = checks.map(({ id }) => id).filter((id) => /^(?:default|gateway)\./.test(id));
  expect(ours.sort()).toEqual(Object.keys(redacting).sort());
});

const cases = checks.flatMap((check) => (redacting[check.id] ?? []).map((given) => [check.id, given, check] as const));

it.each(cases)("%s with %j takes the same out of a stream, wherever it is cut", (_, given, check) => {
  const parameters = check.parameters.parse(given);
  const make = (): Redactor => {
    const redactor = check.redactor?.(parameters);
    if (!redactor) throw new Error("it takes nothing out");
    return redactor;
  };
  expect(redacted(everything, make()).found.length).toBeGreaterThan(0);
  fc.assert(
    fc.property(anyText, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }), (text, sizes) => {
      const whole = redacted(text, make());
      expect(inPieces(cut(text, sizes), make())).toBe(whole.text);
      for (const { start, end } of whole.found)
        expect(end - start).toBeLessThanOrEqual(make().window ?? Number.POSITIVE_INFINITY);
    }),
    { numRuns: 150 },
  );
});
