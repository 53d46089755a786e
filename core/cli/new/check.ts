import { importLines } from "./imports.ts";
import { camelCase, type Skeleton, type SkeletonInput } from "./skeleton.ts";

/** A guardrail check of one file, with its table of texts. */
export function checkSkeleton(input: SkeletonInput): Skeleton {
  const { name, builtIn } = input;
  return {
    files: [
      { path: `${name}.ts`, text: definitionText(input) },
      { path: `${name}.test.ts`, text: testText(input) },
    ],
    next: `It stands among the plugins of the config file, beside checks and guardrails${builtIn ? "" : ", with paths relative to it"}:
  plugins:
    ${name}: ${builtIn ? "{}" : `{ use: ./${name}.ts }`}
A guardrail names it by its id:
  checks: [{ id: ${idOf(name)}, parameters: { words: [secret] } }]
`,
  };
}

const idOf = (name: string): string => `custom.${camelCase(name)}`;

const definitionText = ({ name, importing }: SkeletonInput): string =>
  `import { defineCheck, z } from "${importing("sluice")}";

export default defineCheck({
  id: "${idOf(name)}",
  summary: "Passes text with none of the words in it.",
  parameters: z.object({
    words: z.array(z.string().min(1)).min(1).describe("Words that must not be there, in any case."),
  }),
  // With this, streams are checked while they pass: no word is longer.
  windowOf: ({ words }) => Math.max(...words.map(({ length }) => length)),
  run({ text }, { words }) {
    const lower = text.toLowerCase();
    const found = words.filter((word) => lower.includes(word.toLowerCase()));
    return { verdict: found.length === 0, data: { found } };
  },
  table: {
    passes: [
      { parameters: { words: ["secret"] }, text: "nothing to see" },
      { parameters: { words: ["secret"] }, text: "" },
    ],
    fails: [
      { parameters: { words: ["secret"] }, text: "this is secret", data: { found: ["secret"] } },
      { parameters: { words: ["secret"] }, text: "a SECRET too" },
    ],
  },
});
`;

function testText({ name, importing }: SkeletonInput): string {
  const imports = importLines([
    ["{ tryCheck }", importing("sluice/check-kit/testing")],
    ["check", `./${name}.ts`],
  ]);
  return `${imports}

tryCheck(check);
`;
}
