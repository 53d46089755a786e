import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, it } from "vitest";

/** Who may import what (DESIGN.md section 2). Tests are exempt: they look inside. */
const mayImport = {
  core: (target: string) => target.startsWith("core/"),
  plugins: (target: string, own: string) => target.startsWith(own) || target === "core/index.ts",
  providers: (target: string, own: string) => target.startsWith(own) || target === "core/provider-kit/index.ts",
};

/** An exchange, and what is made of exchanges: their types name each other. */
const circle = ["attempt", "client-procedure", "endpoint", "exchange", "route", "socket"];

const isChecked = (path: string) => /\.(ts|mjs)$/.test(path) && !/(\.test|(^|\/)testing)\.ts$/.test(path);

const filesIn = (top: string): string[] =>
  readdirSync(top, { recursive: true, encoding: "utf8" })
    .filter(isChecked)
    .map((path) => join(top, path));

const importsOf = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/(?:from|import\(|import) ?"(\.[^"]+)"/g)].map(([, specifier = ""]) =>
    join(dirname(path), specifier),
  );

it.each(Object.entries(mayImport))("keeps %s inside the dependency rule", (top, allowed) => {
  const files = filesIn(top);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files)
    for (const target of importsOf(path))
      expect(allowed(target, `${path.split("/", 2).join("/")}/`), `${path} imports ${target}`).toBe(true);
});

it("has no files that import each other, but for those of an exchange", () => {
  const files = Object.keys(mayImport).flatMap(filesIn);
  const own = circle.map((name) => `core/model/${name}.ts`);
  expect(circles(new Map(files.map((path) => [path, importsOf(path)])))).toEqual([own]);
});

it("lets the rooms of core stand on each other, and none on one above it", () => {
  const roomOf = (path: string) => path.split("/", 2).join("/");
  const rooms = new Map<string, string[]>();
  for (const path of filesIn("core")) {
    const others = importsOf(path).map(roomOf);
    rooms.set(roomOf(path), [...(rooms.get(roomOf(path)) ?? []), ...others.filter((room) => room !== roomOf(path))]);
  }
  expect(circles(rooms)).toEqual([]);
});

/** Who reaches itself over others, in groups of those who reach each other (after Tarjan). */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const low = new Map<string, number>();
  const path: string[] = [];
  const visit = (node: string): number => {
    const at = low.size;
    const height = path.push(node) - 1;
    low.set(node, at);
    let least = at;
    for (const next of graph.get(node) ?? [])
      if (graph.has(next)) least = Math.min(least, low.get(next) ?? visit(next));
    low.set(node, least);
    if (least < at) return least;
    const group = path.splice(height).sort();
    for (const one of group) low.set(one, Number.POSITIVE_INFINITY);
    if (group.length > 1) found.push(group);
    return least;
  };
  for (const node of graph.keys()) if (!low.has(node)) visit(node);
  return found;
}

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
