import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { environmentOf } from "../config/index.ts";
import { definePlugin } from "../define-plugin.ts";
import { defineProvider, secret } from "../provider-kit/index.ts";
import { loaderWith } from "../test-kit/loader-with.ts";
import { check } from "./check.ts";
import { temporaryFolder } from "./testing.ts";

const closed: string[] = [];
const noted = definePlugin({
  name: "noted",
  summary: "Notes its end.",
  options: z.strictObject({}),
  setup({ onClose }) {
    onClose(() => void closed.push("noted"));
  },
});
const broken = definePlugin({
  name: "broken",
  summary: "Tells more than it should.",
  options: z.strictObject({ token: secret() }),
  setup(_, { token }) {
    throw new Error(`the token ${token.reveal()} is refused`);
  },
});
const acme = defineProvider({ name: "acme", summary: "A vendor.", baseUrl: "https://acme.example", operations: {} });
const loader = loaderWith({ plugins: [noted, broken], providers: [acme] });
const surroundings = { loader, environment: environmentOf({ TOKEN: "token-of-a-test-12345" }) };

const checked = (yaml: string) => check(join(temporaryFolder({ "gateway.yaml": yaml }), "gateway.yaml"), surroundings);

it("says that a file is fine, sets its plugins up and closes them again", async () => {
  closed.length = 0;
  const result = await checked("plugins: { noted: {}, auth-open: {} }\nproviders: { acme: {} }\n");
  expect(result).toMatchObject({ exitCode: 0, err: "" });
  expect(result.out).toMatch(/gateway\.yaml: ok \(2 plugins, 1 provider\)\n$/);
  expect(closed).toEqual(["noted"]);
});

it("tells what a start would warn of, and that the file is fine", async () => {
  const careful = definePlugin({
    name: "careful",
    summary: "Warns.",
    options: z.strictObject({ token: secret() }),
    setup({ log }, { token }) {
      log.warn("the token is old", { token: token.reveal(), days: 3, size: 9n });
    },
  });
  const file = join(
    temporaryFolder({ "gateway.yaml": "plugins: { careful: { token: '${TOKEN}' } }\n" }),
    "gateway.yaml",
  );
  const result = await check(file, { ...surroundings, loader: loaderWith({ plugins: [careful] }) });
  expect(result.exitCode).toBe(0);
  expect(result.err).toBe(`${file}: the token is old (token: ***2345, days: 3, size: 9n)\n`);
});

it("tells of every mistake", async () => {
  const result = await checked("server: { port: x }\nplugins: { auth-opn: {} }\n");
  expect(result).toMatchObject({ exitCode: 1, out: "" });
  expect(result.err).toContain("gateway.yaml:1:17 server.port: ");
  expect(result.err).toContain(
    'gateway.yaml:2:12 plugins.auth-opn: unknown plugin "auth-opn"; did you mean "auth-open"?',
  );
});

it("tells of headers and keys that cannot be sent, without the secrets in them", async () => {
  const sets = 'headers: { "no name": a, fine: "two\\nlines" }';
  const result = await checked(`plugins: {}\nproviders: { acme: { apiKey: "hunter2\\n", ${sets} } }\n`);
  const unsendable = "holds a line break or another character that no header can hold";
  expect(result.err.replaceAll(/^.*gateway\.yaml:/gm, "").split("\n")).toEqual([
    `2:30 providers.acme.apiKey: ${unsendable}`,
    '2:54 providers.acme.headers["no name"]: this name cannot be used: it is no name of a header',
    `2:74 providers.acme.headers.fine: ${unsendable}`,
    "",
  ]);
});

it("tells what fails when plugins are set up, without the secrets in it", async () => {
  closed.length = 0;
  const result = await checked("plugins:\n  noted: {}\n  broken: { token: '${TOKEN}' }\n");
  expect(result.exitCode).toBe(1);
  expect(result.err).toContain("gateway.yaml: [plugin broken] setup: the token ***2345 is refused");
  expect(result.err).not.toContain("token-of-a-test");
  expect(closed).toEqual(["noted"]);
});

it("tells that there is no file", async () => {
  expect(await check("nowhere.yaml", surroundings)).toMatchObject({
    exitCode: 1,
    err: "nowhere.yaml:1:1 file not found\n",
  });
});

const sluice = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ["core/cli/bin.mjs", ...args], { env: { PATH: process.env.PATH } });

it("accepts the file that is started by default", async () => {
  const { stdout, stderr } = await sluice("check", "config/gateway.yaml");
  expect(stdout).toMatch(/^config\/gateway\.yaml: ok \(\d+ plugins, \d+ providers\)\n$/);
  expect(stderr).toBe("");
});

it("loads TypeScript from a folder with no package.json around it", async () => {
  const kit = join(process.cwd(), "core/provider-kit/index.ts");
  const folder = temporaryFolder({
    "gateway.yaml": "plugins: { auth-open: {} }\nproviders: { acme: { use: ./acme.ts } }\n",
    "acme.ts": `import { defineProvider } from "${kit}";
const name: string = "acme";
export default defineProvider({ name, summary: "A vendor.", baseUrl: "https://acme.example", operations: {} });
`,
  });
  const { stdout } = await sluice("check", join(folder, "gateway.yaml"));
  expect(stdout).toContain("ok (1 plugin, 1 provider)");
});

it.each(["acme.ts", "acme.mjs", "acme.js"])(
  "is what %s imports by the name of the package, wherever it is started",
  async (file) => {
    const folder = temporaryFolder({
      "gateway.yaml": `plugins: { mine: { use: ./mine.ts } }\nproviders: { acme: { use: ./${file} } }\n`,
      "mine.ts": `import { definePlugin, z } from "sluice";
export default definePlugin({ name: "mine", summary: "Mine.", options: z.strictObject({}), setup() {} });
`,
      [file]: `import { defineProvider } from "sluice/provider-kit";
export default defineProvider({ name: "acme", summary: "A vendor.", baseUrl: "https://acme.example", operations: {} });
`,
      // What runs is what is imported: another copy would have classes of its own.
      "node_modules/sluice/package.json": '{ "name": "sluice", "exports": { ".": "./absent.js" } }',
    });
    const checking = [join(process.cwd(), "core/cli/bin.mjs"), "check", "gateway.yaml"];
    const { stdout } = await promisify(execFile)(process.execPath, checking, { cwd: folder });
    expect(stdout).toContain("ok (1 plugin, 1 provider)");
  },
);

const ruleText = (setup: string, more = "") => `import { definePlugin, z } from "sluice";
${more}export default definePlugin({ name: "rule", summary: "Mine.", options: z.strictObject({}), setup() { ${setup} } });
`;
const required = 'const { definePlugin } = require("sluice");\nmodule.exports = definePlugin({});\n';

describe("a plugin beside the config file", () => {
  const checked = (files: Record<string, string>, file: string) => {
    const folder = temporaryFolder({ "gateway.yaml": `plugins: { mine: { use: ./${file} } }\n`, ...files });
    const checking = [join(process.cwd(), "core/cli/bin.mjs"), "check", "gateway.yaml"];
    return promisify(execFile)(process.execPath, checking, { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );
  };

  it("is told what it may import of the gateway", async () => {
    const said = await checked({ "rule.ts": 'import { bearer } from "sluice/provider_kit";\nbearer();\n' }, "rule.ts");
    expect(said).toContain(
      'fails to import: it imports "sluice/provider_kit", which there is not; did you mean "sluice/provider-kit"?',
    );
  });

  it("is a module in JavaScript, too, with what it imports, whatever the package.json leaves out", async () => {
    const helper = "export const word = 1;\n";
    const importing = ruleText("", 'import { word } from "./helper.js";\nif (word !== 1) throw new Error("no");\n');
    const said = await checked({ "rule.js": importing, "helper.js": helper, "package.json": "{}" }, "rule.js");
    expect(said).toContain("ok (1 plugin, 0 providers)");
  });

  it.each([
    ["rule.ts", ruleText("const = 1;"), /Transform failed with 1 error: .*rule\.ts:2:\d+: ERROR: Expected identifier/],
    ["rule.ts", ruleText("", "const table = undefined as any;\ntable.name;\n"), / \(rule\.ts:3:7\)$/],
    ["rule.ts", ruleText("\nthrow new Error('no luck');"), /\[plugin mine\] setup: no luck \(rule\.ts:3:7\)$/],
    ["rule.js", required, /Cannot find module 'sluice' \(rule\.js(?::1:26)?\); plugins are ES modules: write import/],
  ])("that fails (%s) is told with the place", async (file, text, place) => {
    expect((await checked({ [file]: text }, file)).trim()).toMatch(place);
  });
});

it("ends with an exit code of 1 when the file cannot be used", async () => {
  const file = join(temporaryFolder({ "gateway.yaml": "plugin: {}\n" }), "gateway.yaml");
  await expect(sluice("check", file)).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: `${file}:1:1 unknown section "plugin"; did you mean "plugins"?\n`,
  });
});
