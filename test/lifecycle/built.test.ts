import { execFile } from "node:child_process";
import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { root } from "../support/root.ts";

const run = promisify(execFile);
const bin = join(root, "core/cli/bin.mjs");

/** A plugin from elsewhere, which gets the gateway by its package's name. */
const plugin = `
import { definePlugin, GatewayError, Secret, z } from "sluice";

export default definePlugin({
  name: "full",
  summary: "Turns everybody away.",
  options: z.strictObject({ key: z.custom((value) => new Secret("x") instanceof Secret).optional() }),
  setup({ hooks }) {
    hooks.auth.tap("full", () => {
      throw new GatewayError("rate_limited", "Come back later.");
    });
  },
});
`;

describe("the command", () => {
  it("keeps the build it is started from, however old it is", async () => {
    const { builtModules } = (await import(join(root, "core/modules/built.mjs"))) as {
      builtModules(): Promise<Map<string, string> | undefined>;
    };
    const index = pathToFileURL(join(root, "core/index.ts")).href;
    const folderOf = async () => join(fileURLToPath((await builtModules())?.get(index) ?? ""), "../..");
    const folder = await folderOf();
    utimesSync(folder, 0, 0);
    expect(await folderOf()).toBe(folder);
    expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(60_000);
  });

  it("answers the same from the build and from the sources", async () => {
    const built = await run(process.execPath, [bin, "plugins"], { env: { PATH: process.env.PATH } });
    const sources = await run(process.execPath, [bin, "plugins"], {
      env: { PATH: process.env.PATH, SLUICE_RUN_SOURCES: "1" },
    });
    expect(built.stdout).toBe(sources.stdout);
    expect(readdirSync(join(root, "node_modules/.cache/sluice")).length).toBeGreaterThan(0);
  });

  it.each([{}, { SLUICE_RUN_SOURCES: "1" }])(
    "shares one copy of the gateway with plugins from elsewhere, %j",
    async (variables) => {
      const folder = temporaryFolder({
        "full.ts": plugin,
        "gateway.yaml": `
server: { port: 0 }
plugins:
  full: { use: ./full.ts }
  routing: {}
  format-openai-chat: {}
providers: { simulator: {} }
`,
      });
      const gateway = spawnGateway(join(folder, "gateway.yaml"), variables);
      const response = await fetch(`${await gateway.url()}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect(response.status).toBe(429);
      expect(await response.text()).toContain("Come back later.");
    },
  );
});
