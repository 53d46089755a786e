import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { check } from "../core/cli/check.ts";
import { temporaryFolder } from "../core/cli/testing.ts";
import { environmentOf } from "../core/config/index.ts";
import { startGateway } from "../core/test-kit/index.ts";

/** Six plugins with nine mistakes that only a start can see. */
const wrong = `plugins:
  auth-open: {}
  format-openai-chat: {}
  cache-memory: {}
  retry: {}
  routing:
    models:
      "gpt-*": opnai
      "claude-*": [openai, anthropc]
    default: \${DEFAULT}
    defaultConfig: mian
    configs:
      main:
        retry: { attempts: 1, atempts: 2 }
        targets:
          - provider: "@openay"
          - customHost: ftp://files
  cache:
    semantic: { provider: openia, model: small }
  theirs: { use: ./theirs.ts }
  records-file: {}
  blobs-folder: {}
  managed-files: {}
providers:
  openai: { apiKey: key-of-a-test-12345 }
  anthropic: { apiKey: key-of-a-test-12345 }
`;
const surface = new URL("../core/index.ts", import.meta.url).href;
const theirs = `import { definePlugin, z } from "${surface}";
export default definePlugin({ name: "theirs", summary: "Theirs.", options: z.strictObject({}), setup({ onReady }) {
  onReady(() => { throw new Error("there is no luck"); });
} });
`;
const right = `plugins: { auth-open: {}, format-openai-chat: {}, routing: { default: simulator } }
providers: { simulator: {} }
`;

const told = [
  '8:16 plugins.routing.models["gpt-*"]: names the provider "opnai", which the config file does not have; did you mean "openai"?',
  '9:28 plugins.routing.models["claude-*"][1]: names the provider "anthropc", which the config file does not have; did you mean "anthropic"?',
  "10:14 plugins.routing.default: names the provider the value of DEFAULT, which the config file does not have; known providers: openai, anthropic",
  '11:20 plugins.routing.defaultConfig: names the config "mian", which is not among those of the file; did you mean "main"?',
  '14:31 plugins.routing.configs.main.retry.atempts: is not known; did you mean "attempts"?',
  '16:23 plugins.routing.configs.main.targets[0].provider: names the stored provider "@openay", which the config file does not have; did you mean "@openai"?',
  "17:25 plugins.routing.configs.main.targets[1].customHost: is not a URL that may be called",
  '19:27 plugins.cache.semantic.provider: names the provider "openia", which the config file does not have; did you mean "openai"?',
  "20:3 plugins.theirs: [plugin theirs] start: there is no luck",
  "23:3 plugins.managed-files: needs a plugin that takes files of clients: format-openai-files",
];

const folderWith = (yaml: string) => temporaryFolder({ "gateway.yaml": yaml, "theirs.ts": theirs });

/** Without the file in front, nor where in whose code a plain error was thrown. */
const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replace(/^.*gateway\.yaml:/, "").replace(/ \(\S*theirs\.ts:\d+:\d+\)$/, ""));

const variables = { DEFAULT: "somewhere-else" };

describe("a file with mistakes of several plugins", () => {
  it("is told whole by `sluice check`, each with its line, column and the name that is near", async () => {
    const file = join(folderWith(wrong), "gateway.yaml");
    const { exitCode, err } = await check(file, { environment: environmentOf(variables) });
    expect([exitCode, linesOf(err)]).toEqual([1, told]);
  });

  it("names the variable where a value of one cannot be used", async () => {
    const yaml = "plugins:\n  records-file: {}\n  encryption: { key: ${MASTER_KEY} }\nproviders: {}\n";
    const { err } = await check(join(folderWith(yaml), "gateway.yaml"), {
      environment: environmentOf({ MASTER_KEY: "hunter2" }),
    });
    expect(linesOf(err)).toEqual([
      "3:22 plugins.encryption.key: key 1 has 5 bytes; a master key has 32 bytes: openssl rand -hex 32 (from the environment variable MASTER_KEY)",
    ]);
  });

  it("is told just so by a start", async () => {
    const folder = folderWith(wrong);
    const starting = promisify(execFile)(
      process.execPath,
      ["core/cli/bin.mjs", "start", join(folder, "gateway.yaml")],
      {
        env: { PATH: process.env.PATH, ...variables },
      },
    );
    const { code, stderr } = (await starting.catch((error: unknown) => error)) as { code: number; stderr: string };
    expect([code, linesOf(stderr)]).toEqual([1, told]);
  });

  it("is told just so by a reload, and the old generation stays", async () => {
    const folder = folderWith(right);
    const gateway = await startGateway({ config: right, variables, folder });
    onTestFinished(gateway.close);
    const error: unknown = await gateway.reload(wrong).catch((cause: unknown) => cause);
    const [first, ...lines] = linesOf(String(error).replaceAll("test.yaml:", "gateway.yaml:"));
    expect([first, lines]).toEqual(["Error: config not reloaded, the old one stays:", told]);
    const answer = await gateway.fetch("/v1/chat/completions", {
      json: { model: "m", messages: [{ role: "user", content: "Hi" }] },
    });
    expect(answer.status).toBe(200);
  });
});
