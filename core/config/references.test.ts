import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { environmentOf } from "../environment.ts";
import { mask, resolveReferences, unmask } from "./references.ts";
import { parseWith } from "./testing.ts";

const variables = { PORT: "9000", HOST: "::1", YES: "ON", LIST: "a, b,,c", RATE: "0.25", AUTO: "auto", EMPTY: "" };

const rateLimits = async (options: string, file = "gateway.yaml") => {
  const { plugins } = await parseWith(`plugins: { rate-limits: { "value": 1, ${options} } }`, variables, file);
  return plugins[0]?.options;
};
const server = async (settings: string, file = "gateway.yaml") => {
  const config = await parseWith(`{ "server": { ${settings} } }`, variables, file);
  return config.server;
};

describe("a reference", () => {
  it.each([
    { written: `"port": \${PORT}`, gives: { port: 9000 } },
    { written: `"port": \${NO_PORT:-8787}`, gives: { port: 8787 } },
    { written: `"port": \${EMPTY:-8787}`, gives: { port: 8787 } },
    { written: `"port": \${NO_PORT:-}`, gives: { port: 8787 } },
    { written: `"port": \${NO_PORT:-\${PORT}}`, gives: { port: 9000 } },
    { written: `"port": 1\${NO_PORT:-2}3`, gives: { port: 123 } },
    { written: `"host": \${HOST}`, gives: { host: "::1" } },
    { written: `"host": \${NO_HOST:-a: b # c}`, gives: { host: "a: b # c" } },
    { written: `"host": "[\${HOST}]:\${PORT}"`, gives: { host: "[::1]:9000" } },
    { written: `"host": \${PORT}`, gives: { host: "9000" } },
    { written: `"host": $\${HOST}`, gives: { host: `\${HOST}` } },
    { written: `"host": a$\${HOST}\${PORT}`, gives: { host: `a\${HOST}9000` } },
    { written: '"host": costs $5', gives: { host: "costs $5" } },
    { written: `"workers": \${PORT}`, gives: { workers: 9000 } },
    { written: `"trustedHosts": \${LIST}`, gives: { trustedHosts: ["a", "b", "c"] } },
    { written: `"trustedHosts": [x, \${NONE:-}, \${PORT}]`, gives: { trustedHosts: ["x", "9000"] } },
    { written: `"log": { level: \${LEVEL:-warn} }`, gives: { log: { level: "warn" } } },
  ])("written as $written gives $gives", async ({ written, gives }) => {
    expect(await server(written)).toMatchObject(gives);
  });

  it("is read as a number or a boolean from a JSON file too, where it needs its quotes", async () => {
    expect(await server(`"port": "\${PORT}"`, "gateway.json")).toMatchObject({ port: 9000 });
    expect(await rateLimits(`"dryRun": "\${YES}"`, "gateway.json")).toMatchObject({ dryRun: true });
  });

  it.each([
    ["ON", true],
    ["1", true],
    ["no", false],
    ["False", false],
  ])("to %s is %s where true or false is wanted", async (value, expected) => {
    expect(await rateLimits(`dryRun: \${NONE:-${value}}`)).toMatchObject({ dryRun: expected });
  });

  it("is read as what one of several forms wants", async () => {
    expect(await rateLimits(`burst: \${NONE:-5}`)).toMatchObject({ burst: 5 });
    expect(await rateLimits(`burst: \${NONE:-off}`)).toMatchObject({ burst: "off" });
    expect(await rateLimits(`store: { kind: memory, size: \${PORT} }`)).toMatchObject({ store: { size: 9000 } });
    expect(await rateLimits(`share: \${RATE}`)).toMatchObject({ share: 0.25 });
  });

  it("works in a text of several lines", async () => {
    const { server } = await parseWith(`server:\n  host: |\n    a \${PORT}\n    b \${HOST}\n`, variables);
    expect(server.host).toBe("a 9000\nb ::1\n");
  });

  it("is nothing in a comment", async () => {
    await expect(parseWith(`# port: \${NO_PORT}\nserver: {} # \${ALSO_NOT}\n`)).resolves.toBeDefined();
  });
});

it("hides references from the YAML parser without moving anything", () => {
  const source = `a: { b: \${X:-[1, 2]: {#}}, "c": $\${Y} } \${open\n{ d: \${é-\u{1F600}} }`;
  expect(mask(source)).toHaveLength(source.length);
  expect(unmask(mask(source))).toBe(source);
  expect(mask(`{ b: \${X:-1, 2} }`)).not.toMatch(/\{ b: .*[{},].* \}/);
});

describe("the value of a variable", () => {
  const folder = folderOfFile();
  writeFileSync(join(folder, "key"), "  from a file\n");
  const file = join(folder, "key");
  const environment = environmentOf(
    { KEY: file, NEAR: "./key", NO_FILE: "/nowhere", FOLDER: folder, AWS_PROFILE: file, MY_BASEPATH: file, EMPTY: "" },
    folder,
  );

  it.each([
    { name: "KEY", value: "from a file", because: "it names a file" },
    { name: "NEAR", value: "from a file", because: "it names a file by a relative path" },
    { name: "NO_FILE", value: "/nowhere", because: "no such file exists" },
    { name: "FOLDER", value: folder, because: "a folder has no content" },
    { name: "AWS_PROFILE", value: file, because: "that variable is a path on purpose" },
    { name: "MY_BASEPATH", value: file, because: "its name says that it is a path" },
    { name: "EMPTY", value: undefined, because: "empty is the same as unset" },
    { name: "constructor", value: undefined, because: "only variables count, not what objects have" },
  ])("$name is $value since $because", ({ name, value }) => {
    expect(environment.value(name)).toBe(value);
  });

  it("does not resolve references it holds itself", () => {
    const resolved = resolveReferences(`\${A}`, environmentOf({ A: `\${B}`, B: "b" }), () => {});
    expect(resolved.text).toBe(`\${B}`);
  });
});
