import { defineCheck, excerptOf, z } from "../../../../core/index.ts";

const formats = [
  ...["SQL", "Python", "TypeScript", "JavaScript", "Java", "C#", "C++", "C", "Ruby", "PHP", "Swift", "Kotlin", "Go"],
  ...["Rust", "Scala", "R", "Perl", "Shell", "HTML", "CSS", "XML", "JSON", "YAML", "Markdown", "Dockerfile"],
] as const;

/** Other tags than the format's own name. */
const tags: Readonly<Record<string, string>> = {
  py: "Python",
  gyp: "Python",
  ts: "TypeScript",
  tsx: "TypeScript",
  js: "JavaScript",
  jsx: "JavaScript",
  cs: "C#",
  csharp: "C#",
  cpp: "C++",
  rb: "Ruby",
  kt: "Kotlin",
  rs: "Rust",
  pl: "Perl",
  sh: "Shell",
  bash: "Shell",
  yml: "YAML",
  md: "Markdown",
  ...Object.fromEntries(formats.map((format) => [format.toLowerCase(), format])),
};

/** The format of a tag; an unknown one is a format of its own. */
const formatOf = (tag: string): string => {
  const lower = tag.toLowerCase();
  return Object.hasOwn(tags, lower) ? (tags[lower] ?? tag) : tag;
};

/** Behind the tag may stand what else is said of the block: "```python title=a.py", "```js{1,3}", "```go:main.go". */
const fencedBlock = /```([\w#+-]+)(?:[^\w#+\n`-][^\n`]*)?\n[\s\S]*?\n?```/g;

export default defineCheck({
  id: "default.containsCode",
  summary: "Passes text with a fenced block of code in a language.",
  parameters: z.object({
    format: z.enum(formats).describe("The language."),
    not: z.boolean().default(false).describe("Whether there must be none of it."),
  }),
  targets: ["response"],
  measures: true,
  run({ text }, { format, not }) {
    const found = [...text.matchAll(fencedBlock)].map(([, tag = ""]) => formatOf(tag));
    const foundFormats = [...new Set(found)];
    const has = foundFormats.includes(format);
    const explanation = `There is ${has ? "" : "no "}code in ${format}.`;
    const data = { explanation, searchedFormat: format, not, foundFormats, textExcerpt: excerptOf(text) };
    return { verdict: has !== not, data };
  },
  table: {
    passes: [
      {
        parameters: { format: "Python" },
        text: "Run:\n```py\nprint(1)\n```\nor\n```sh\nls\n```",
        data: { searchedFormat: "Python", foundFormats: ["Python", "Shell"], not: false },
      },
      { parameters: { format: "YAML" }, text: "```YAML\na: 1\n```" },
      { parameters: { format: "C#" }, text: "```csharp\n\n```" },
      {
        parameters: { format: "Go" },
        text: "```python title=a.py\nx\n```\n```js{1,3}\r\nx\r\n```\n```go:main.go\nx\n```",
        data: { foundFormats: ["Python", "JavaScript", "Go"] },
      },
      {
        parameters: { format: "C", not: true },
        text: "```c-sharp title=a\nx\n```\n```objective-c\nx\n```",
        data: { foundFormats: ["c-sharp", "objective-c"] },
      },
      { parameters: { format: "SQL", not: true }, text: "none", data: { foundFormats: [] } },
      { parameters: { format: "SQL", not: true }, text: "```cobol\nSTOP RUN.\n```", data: { foundFormats: ["cobol"] } },
    ],
    fails: [
      { parameters: { format: "SQL" }, text: "SELECT 1" },
      { parameters: { format: "SQL" }, text: "```\nSELECT 1\n```" },
      { parameters: { format: "SQL" }, text: "```js\nx\n```" },
      { parameters: { format: "JavaScript", not: true }, text: "```jsx\nx\n```" },
      { parameters: { format: "SQL" }, text: "" },
    ],
  },
});
