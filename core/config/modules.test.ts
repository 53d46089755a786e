import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { environmentOf } from "../environment.ts";
import { knownModules } from "./known-modules.ts";
import { ConfigError } from "./mistakes.ts";
import { moduleLoader } from "./modules.ts";
import { parseConfig } from "./read.ts";

const zod = JSON.stringify(import.meta.resolve("zod"));
const core = JSON.stringify(fileURLToPath(new URL("../index.ts", import.meta.url)));
const plugin = (name: string) =>
  `import { z } from ${zod};\nimport { definePlugin } from ${core};\nexport default definePlugin({ name: "${name}", ` +
  `summary: "From a file.", options: z.strictObject({ limit: z.int().default(1) }), setup() {} });\n`;
const provider = (name: string) =>
  `import { z } from ${zod};\nexport default { kind: "provider", name: "${name}", summary: "From a file.", ` +
  "options: z.strictObject({}), operations: {} };\n";

/** As packages are: JavaScript that does not go through the loader of TypeScript. */
const packaged = (name: string) =>
  `import { z } from ${zod};\nexport default { kind: "plugin", name: "${name}", summary: "From a package.", ` +
  "options: z.strictObject({}), setup() {} };\n";

/** A folder with these files in it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = folderOfFile();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const root = folderWith({
  "plugins/auth-open/index.ts": plugin("auth-open"),
  "plugins/single.ts": plugin("single"),
  "plugins/single.test.ts": "throw new Error('a test is no plugin');",
  "plugins/no-index/other.ts": "",
  "plugins/Capital/index.ts": "",
  "plugins/README.md": "",
  "plugins/broken/index.ts": "throw new TypeError('the plugin is broken\\nbadly');",
  "providers/acme/index.ts": provider("acme"),
});
const folder = folderWith({
  "my-rule.ts": plugin("my-rule"),
  "rule.cjs": "",
  "deep/rule.js": plugin("deep-rule"),
  "in-a-folder/index.ts": plugin("in-a-folder"),
  "vendor.ts": provider("vendor"),
  "named.ts": plugin("named").replace("export default", "export const mine ="),
  "nothing.ts": "export const name = 'nothing';\n",
  "notes.txt": "",
  "node_modules/for-require/package.json": '{ "name": "for-require", "main": "main.mjs" }',
  "node_modules/for-require/main.mjs": packaged("for-require"),
  "node_modules/@acme/for-import/package.json":
    '{ "type": "module", "exports": { ".": { "import": "./main.js" }, "./extra": "./extra.js" } }',
  "node_modules/@acme/for-import/main.js": packaged("for-import"),
  "node_modules/@acme/for-import/extra.js": packaged("extra"),
});
const loader = moduleLoader(root);

const mistakesIn = async (source: string): Promise<string[]> => {
  const reading = parseConfig(source, join(folder, "gateway.yaml"), loader, environmentOf({}));
  const error: unknown = await reading.catch((cause: unknown) => cause);
  return error instanceof ConfigError ? error.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
};

it("knows the folders and files there are, and no others", () => {
  expect(loader.knownPlugins()).toEqual(["auth-open", "broken", "single"]);
  expect(loader.knownProviders()).toEqual(["acme"]);
});

describe("a plugin", () => {
  it.each([
    ["auth-open", "auth-open"],
    ["single", "single"],
    ["./my-rule.ts", "my-rule"],
    ["./deep/../deep/rule.js", "deep-rule"],
    ["./in-a-folder", "in-a-folder"],
    ["for-require", "for-require"],
    ["@acme/for-import", "for-import"],
    ["@acme/for-import/extra", "extra"],
  ])("named %s is loaded", async (specifier, name) => {
    await expect(loader.plugin(specifier, folder)).resolves.toMatchObject({ kind: "plugin", name });
  });

  it("is relative to the folder of the config file", async () => {
    await expect(loader.plugin("../my-rule.ts", join(folder, "deep"))).resolves.toMatchObject({ name: "my-rule" });
  });

  it("from a file is used under its key", async () => {
    const source = "plugins:\n  a-rule: { use: ./my-rule.ts, limit: 3 }\nproviders:\n  eu: { use: ./vendor.ts }\n";
    const config = await parseConfig(source, join(folder, "gateway.yaml"), loader, environmentOf({}));
    expect(config.plugins).toMatchObject([{ name: "a-rule", plugin: { name: "my-rule" }, options: { limit: 3 } }]);
    expect(config.providers).toMatchObject([{ slug: "eu", definition: { name: "vendor" } }]);
  });
});

const elsewhere = "write a built-in name, a path that begins with ./ or ../, or the name of a package";

it.each([
  { use: "./absent.ts", says: `file not found: ${join(folder, "absent.ts")}` },
  { use: "./notes.txt", says: '"./notes.txt" is not a .ts or .js file' },
  { use: "./deep", says: 'the folder "./deep" has no index.ts or index.js' },
  { use: "./nothing.ts", says: '"./nothing.ts" does not export the result of definePlugin() as its default' },
  {
    use: "./named.ts",
    says: '"./named.ts" does not export the result of definePlugin() as its default, but as "mine"; write export default',
  },
  { use: "./vendor.ts", says: '"./vendor.ts" is a provider; move it to the section "providers"' },
  {
    use: "broken",
    says: `the plugin "broken" fails to import: TypeError: the plugin is broken (${join(root, "plugins/broken/index.ts")}:1:7)`,
  },
  { use: "./rule.cjs", says: '"./rule.cjs" is not a .ts or .js file; plugins are ES modules' },
  { use: "sinlge", says: 'unknown plugin "sinlge"; did you mean "single"?' },
  { use: "@acme/absent", says: `the package "@acme/absent" is not installed in ${folder}` },
  { use: join(folder, "my-rule.ts"), says: `cannot load "${join(folder, "my-rule.ts")}"; ${elsewhere}` },
  { use: "https://a.example/rule.js", says: `cannot load "https://a.example/rule.js"; ${elsewhere}` },
  { use: "file:///rule.js", says: `cannot load "file:///rule.js"; ${elsewhere}` },
  { use: "data:text/javascript,1", says: `cannot load "data:text/javascript,1"; ${elsewhere}` },
  { use: "node:fs", says: `cannot load "node:fs"; ${elsewhere}` },
  { use: "fs", says: `cannot load "fs"; ${elsewhere}` },
  { use: "@acme/for-import/../../x.js", says: `cannot load "@acme/for-import/../../x.js"; ${elsewhere}` },
])("does not load $use and says why", async ({ use, says }) => {
  expect(await mistakesIn(`plugins:\n  mine: { use: "${use}" }\n`)).toEqual([`plugins.mine: ${says}`]);
});

it("loads an installed package only when use names it", async () => {
  expect(await mistakesIn("plugins:\n  for-require: {}\n")).toEqual([
    'plugins.for-require: unknown plugin "for-require"; known plugins: auth-open, broken, single; load any other with "use"',
  ]);
});

describe("a module that could not be loaded", () => {
  const fails = "throw new Error('not yet');\n";
  it.each([
    ["threw", "mended.mjs", fails, /fails to import: Error: not yet \(.*mended\.mjs:1:7\)$/],
    ["was no code", "written.mjs", "export default {{{\n", /fails to import: .*(?:syntax|Transform)/i],
    [
      "exported something else",
      "exported.ts",
      "export const name = 1;\n",
      /does not export the result of definePlugin/,
    ],
    ["lacked what it imports", "lacking.mjs", `import "./later.mjs";\n${fails}`, /later\.mjs/],
  ])("because it %s is loaded once it is mended", async (_, name, text, says) => {
    const file = join(folder, name);
    const loading = () => loader.plugin(`./${name}`, folder);
    writeFileSync(file, text);
    await expect(loading()).rejects.toThrow(says);
    writeFileSync(file, `\n\n${fails}`);
    await expect(loading()).rejects.toThrow(
      `fails to import: Error: not yet (${file}:3:7); what it imports itself is read once: where that was mended, start anew`,
    );
    writeFileSync(file, plugin("mended"));
    const mended = await loading();
    expect(mended).toMatchObject({ name: "mended" });
    // From then on it is what it is until the next start, like any other.
    writeFileSync(file, plugin("changed"));
    expect(await loading()).toBe(mended);
  });
});

it("does not wait for ever for a module", async () => {
  const never = join(folder, "never.mjs");
  writeFileSync(never, "await new Promise(() => {});\nexport default {};\n");
  await expect(moduleLoader(root, 1).plugin("./never.mjs", folder)).rejects.toThrow(
    'the plugin "./never.mjs" is not imported within 1 ms: what it awaits outside of functions does not come',
  );
});

it("keeps what a module threw as the cause", async () => {
  const reading = parseConfig("plugins:\n  broken:\n", join(folder, "gateway.yaml"), loader, environmentOf({}));
  await expect(reading).rejects.toMatchObject({ cause: { name: "TypeError" } });
});

it("lists what there is with its options, and what is broken with the reason", async () => {
  const { plugins, providers } = await knownModules(loader, folder);
  expect(plugins).toEqual([
    expect.objectContaining({
      name: "auth-open",
      summary: "From a file.",
      options: [{ name: "limit", type: "whole number", required: false, default: 1, meaning: "" }],
    }),
    expect.objectContaining({ name: "broken", problem: expect.stringContaining("fails to import") }),
    expect.objectContaining({ name: "single", needs: [], provides: [] }),
  ]);
  expect(providers).toMatchObject([{ name: "acme", options: [] }]);
});
