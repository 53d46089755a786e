import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

const configOf = (more: string) => `
server: { port: 0 }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  ${more}
providers:
  simulator: {}
`;

const failing = (why: string) => `throw new Error("${why}");\nexport const said = "never";\n`;

/** A plugin that puts what its helper says into a header; the helper has it from another one. */
const files = {
  "gateway.yaml": configOf(""),
  "mine.ts": `
import { definePlugin, z } from "${surface}";
import { word } from "./lib/helper.ts";
export default definePlugin({
  name: "mine",
  summary: "Says a word.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.afterRequest.tap("mine", (answer) => ({ ...answer, headers: { "x-word": word() } }));
  },
});
`,
  "lib/helper.ts": 'import { said } from "../words.mjs";\nexport const word = (): string => said;\n',
  "words.mjs": failing("no words yet"),
};

async function askedOf(url: string): Promise<string | null> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question("simulator/m"),
  });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get("x-word");
}

describe("a plugin of one's own that fails since what it imports does", () => {
  it.each([
    ["threw", files],
    ["was no code", { ...files, "words.mjs": "export const said = {{{\n" }],
    ["lacked what was asked of it", { ...files, "words.mjs": "export const say = 1;\n" }],
  ])("is loaded once that is mended, where that %s", async (_, written) => {
    const folder = temporaryFolder(written);
    const gateway = spawnGateway(join(folder, "gateway.yaml"));
    const url = await gateway.url();
    let mark = gateway.output.length;
    writeFileSync(join(folder, "gateway.yaml"), configOf("mine: { use: ./mine.ts }"));
    await gateway.printed(/config not reloaded.*"\.\/mine\.ts\\" fails to import/, mark);
    expect(await askedOf(url)).toBeNull();
    mark = gateway.output.length;
    writeFileSync(join(folder, "words.mjs"), failing("not yet"));
    gateway.kill("SIGHUP");
    await gateway.printed(/config not reloaded.*not yet \(.*words\.mjs:1:7\)/, mark);
    mark = gateway.output.length;
    writeFileSync(join(folder, "words.mjs"), 'export const said = "mended";\n');
    gateway.kill("SIGHUP");
    await gateway.printed(/config reloaded/, mark);
    expect(await askedOf(url)).toBe("mended");
  });
});
