import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, it } from "vitest";

/** Who may import what (DESIGN.md section 2). Tests are exempt: they look inside. */
const mayImport = {
  core: (target: string) => target.startsWith("core/"),
  plugins: (target: string, own: string) => target.startsWith(own) || target === "core/index.ts",
  providers: (target: string, own: string) => target.startsWith(own) || target === "core/provider-kit/index.ts",
};

const isChecked = (path: string) => /\.(ts|mjs)$/.test(path) && !/(\.test|(^|\/)testing)\.ts$/.test(path);

it.each(Object.entries(mayImport))("keeps %s inside the dependency rule", (top, allowed) => {
  const files = readdirSync(top, { recursive: true, encoding: "utf8" }).filter(isChecked);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) {
    const source = readFileSync(join(top, path), "utf8");
    for (const [, specifier = ""] of source.matchAll(/(?:from|import\(|import) ?"(\.[^"]+)"/g)) {
      const target = join(top, dirname(path), specifier);
      expect(allowed(target, `${top}/${path.split("/")[0]}/`), `${top}/${path} imports ${target}`).toBe(true);
    }
  }
});

it("keeps vendors out of core", () => {
  const vendors = /\b(openai|anthropic|gemini|bedrock|cohere|mistral|groq)\b/i;
  const named = readdirSync("core", { recursive: true, encoding: "utf8" })
    .filter((path) => isChecked(path) && !path.startsWith("cli/bench/"))
    .filter((path) => vendors.test(withoutComments(readFileSync(join("core", path), "utf8"))));
  expect(named).toEqual([]);
});

/** The other spelling of the strictness header is part of the client API. */
const withoutComments = (source: string) =>
  source.replaceAll("strict-openai-compliance", "").replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "");
