import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { root } from "../../test/support/root.ts";
import { mistakesIn, parseWith } from "./testing.ts";

const pem = `${root}/test/support/certificates/authority.pem`;
const other = `${root}/test/support/certificates/stranger.pem`;
const folder = folderOfFile();
const fileOf = (name: string, text: string) => {
  writeFileSync(`${folder}/${name}`, text);
  return `${folder}/${name}`;
};
const text = (path: string) => readFileSync(path, "utf8").trim();

const found = async (source: string, variables: Record<string, string> = {}) =>
  (await parseWith(source, variables)).server.trustedAuthorities;

describe("the authorities that are believed besides the usual ones", () => {
  it("are none unless somebody names them", async () => {
    expect(await found("plugins:\n")).toEqual([]);
    expect(await found("plugins:\n", { TLS_CA: "" })).toEqual([]);
  });

  it("are those of the file that TLS_CA names, or its own text", async () => {
    expect(await found("plugins:\n", { TLS_CA: pem })).toEqual([text(pem)]);
    expect(await found("plugins:\n", { TLS_CA: `\n${text(pem)}\n` })).toEqual([text(pem)]);
  });

  it("may be several, with anything written between them", async () => {
    const both = fileOf("both.pem", `# ours\n${text(pem)}\n\n# theirs\n${text(other)}\n`);
    expect(await found("plugins:\n", { TLS_CA: both })).toEqual([text(pem), text(other)]);
  });

  it("are those of the config file, if it names any", async () => {
    expect(await found(`server: { trustedAuthorities: ${other} }\n`, { TLS_CA: pem })).toEqual([text(other)]);
  });

  const remedy = "give the path of a PEM file with certificates, or leave it out";

  it.each<[string, string, string]>([
    ["missing", `${folder}/missing.pem`, "names a file that cannot be read (ENOENT)"],
    ["a folder", folder, "names a file that cannot be read (EISDIR)"],
    ["empty", fileOf("empty.pem", ""), "names a file that holds no certificate"],
    ["blank", fileOf("blank.pem", " \n"), "names a file that holds no certificate"],
    ["a key", `${root}/test/support/certificates/server.key`, "names a file that holds no certificate"],
    [
      "cut short",
      fileOf("cut.pem", `${text(pem)}\n${text(other).slice(0, 200)}`),
      "names a file that holds something else than a certificate at place 2",
    ],
    [
      "broken",
      fileOf("broken.pem", `${text(pem)}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      "names a file that holds something else than a certificate at place 2",
    ],
  ])("stop the start where the file is %s", async (_, path, problem) => {
    expect(await mistakesIn("plugins:\n", { TLS_CA: path })).toEqual([
      `gateway.yaml:1:1 the environment variable TLS_CA ${problem}; ${remedy}`,
    ]);
    expect(await mistakesIn(`server: { trustedAuthorities: ${path} }\n`)).toEqual([
      `gateway.yaml:1:31 server.trustedAuthorities: ${problem} ("${path}"); ${remedy}`,
    ]);
  });

  it("are not printed where they stand in the file themselves: it might be a key", async () => {
    const key = readFileSync(`${root}/test/support/certificates/server.key`, "utf8");
    const [told = ""] = await mistakesIn(JSON.stringify({ server: { trustedAuthorities: key } }));
    expect(told).toContain(`server.trustedAuthorities: holds no certificate; ${remedy}`);
  });
});
