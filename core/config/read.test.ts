import { writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { environmentOf } from "../environment.ts";
import { Secret } from "../secrets/secret.ts";
import { ConfigError } from "./mistakes.ts";
import { readConfig } from "./read.ts";
import { fakeLoader, parseWith } from "./testing.ts";

const noVariables = environmentOf({});

describe("a file that can be used", () => {
  it("has every setting of the server although it names none", async () => {
    const { server, plugins, providers, warnings } = await parseWith("plugins:\n");
    expect(server).toEqual({
      host: "127.0.0.1",
      port: 8787,
      cors: { origins: [], methods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], headers: ["*"] },
      trustedProxies: [],
      tls: undefined,
      workers: 1,
      headers: { prefix: "x-gateway-", aliases: [], ignored: [] },
      limits: {
        jsonBodyBytes: 52_428_800,
        uploadBodyBytes: 536_870_912,
        headerBytes: 65_536,
        upstreamBodyBytes: 104_857_600,
      },
      clocks: { connect: 10_000, idle: 300_000, total: 300_000, body: 60_000 },
      keepAliveComments: 15_000,
      keepAliveTimeout: 65_000,
      hookDeadline: 30_000,
      shutdown: { notReady: 5_000, grace: 25_000 },
      connectionsPerHost: 10_000,
      upstreamIdleTimeout: 4_000,
      proxy: undefined,
      trustedAuthorities: [],
      trustedHosts: ["localhost", "127.0.0.1", "::1", "host.docker.internal"],
      log: { level: "info" },
    });
    expect([plugins, providers, warnings]).toEqual([[], [], []]);
  });

  it("warns of a variable as a shell has it, and does not repeat it", async () => {
    const source =
      "providers:\n  eu: { use: openai, apiKey: $SOME_KEY }\n  us: { use: openai, apiKey: 'a$SOME_KEY' }\n";
    const { providers, warnings } = await parseWith(source);
    expect(warnings).toEqual([
      'providers.eu.apiKey is a text as it stands, "$" and all: the value of a variable NAME is written ${NAME}',
    ]);
    expect(providers).toHaveLength(2);
  });

  it("means the same in YAML and in JSON", async () => {
    const yaml = "plugins:\n  rate-limits: { value: 3 }\n  auth-open:\nproviders:\n  eu: { use: openai }\n";
    const json = '{"plugins":{"rate-limits":{"value":3},"auth-open":null},"providers":{"eu":{"use":"openai"}}}';
    const [placed, changedAt] = [expect.any(Function), expect.any(Function)];
    expect(await parseWith(json)).toEqual({ ...(await parseWith(yaml)), placed, changedAt });
  });

  it("gives plugins under their names with their options read", async () => {
    const { plugins } = await parseWith("plugins:\n  mine: { use: rate-limits, value: 3 }\n");
    expect(plugins).toMatchObject([
      { name: "mine", plugin: { name: "rate-limits" }, options: { value: 3, unit: "rpm", dryRun: false } },
    ]);
  });

  it("may use one provider under several slugs", async () => {
    const { providers } = await parseWith("providers:\n  eu: { use: openai }\n  us: { use: openai }\n");
    expect(providers.map(({ slug, definition }) => [slug, definition.name])).toEqual([
      ["eu", "openai"],
      ["us", "openai"],
    ]);
  });

  it("may say things once and refer to them", async () => {
    const { server } = await parseWith("server:\n  limits: { jsonBodyBytes: &size 5, uploadBodyBytes: *size }\n");
    expect(server.limits.uploadBodyBytes).toBe(5);
  });

  it("names its schema for editors, which is not a setting", async () => {
    await expect(parseWith("$schema: ./gateway.schema.json\n")).resolves.toMatchObject({ plugins: [] });
  });

  it("asks for one worker per core by the word auto", async () => {
    const { server } = await parseWith("server: { workers: auto }\n");
    expect(server.workers).toBe(availableParallelism());
  });

  it("sets a service up before who needs it, and otherwise keeps the order of the file", async () => {
    const { plugins } = await parseWith(
      "plugins:\n  webhook: { url: 'https://a.example' }\n  usage-limits:\n  auth-open:\n  counters-redis:\n",
    );
    expect(plugins.map(({ name }) => name)).toEqual(["webhook", "auth-open", "counters-redis", "usage-limits"]);
  });
});

describe("a secret", () => {
  it("arrives as one and cannot be printed", async () => {
    const { providers } = await parseWith("providers:\n  acme: { apiKey: hunter2 }\n");
    expect(providers[0]?.options).toEqual({ apiKey: expect.any(Secret) });
    expect(JSON.stringify(providers)).not.toContain("hunter2");
  });

  it("stays text although it looks like a number", async () => {
    const { providers } = await parseWith(`providers:\n  acme: { apiKey: \${KEY} }\n`, { KEY: "0123" });
    const options = providers[0]?.options as { apiKey: Secret };
    expect(options.apiKey.reveal()).toBe("0123");
  });
});

describe("reading from disk", () => {
  it("reads the file and knows its folder", async () => {
    const folder = folderOfFile();
    const file = join(folder, "gateway.yaml");
    writeFileSync(file, "server: { port: 1 }\n");
    await expect(readConfig(file, fakeLoader, noVariables)).resolves.toMatchObject({
      file,
      folder,
      server: { port: 1 },
    });
  });

  it("says that there is no file", async () => {
    const reading = readConfig("/nowhere/gateway.yaml", fakeLoader, noVariables);
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow("/nowhere/gateway.yaml:1:1 file not found");
  });

  it("says that a folder is no file", async () => {
    await expect(readConfig(tmpdir(), fakeLoader, noVariables)).rejects.toThrow("the file cannot be read (EISDIR)");
  });
});
