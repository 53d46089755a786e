import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** A gateway with a plugin that does what a test says when it is set up. */
function start(setup: string, server = "") {
  const folder = temporaryFolder({
    "gateway.yaml": `
server: { port: 0, hookDeadline: 20, ${server} }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  mine: { use: ./mine.ts }
providers:
  simulator: {}
`,
    "mine.ts": `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "mine",
  summary: "Does what a test says.",
  options: z.strictObject({}),
  async setup({ hooks, log, onReady, onClose }) { ${setup} },
});
`,
  });
  return spawnGateway(join(folder, "gateway.yaml"));
}

const never = "await new Promise(() => {});";

describe("a plugin that keeps a process from starting", () => {
  it.each([
    ["setup", never],
    ["onReady", `onReady(async () => { ${never} });`],
  ])("is named where its %s waits for what never comes", async (part, setup) => {
    const gateway = start(setup);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    expect(gateway.output).toContain(`The gateway did not start: [plugin mine] ${part}: it waits for what never comes`);
  });

  it.each(["", "workers: 2"])("is named where it fails behind everybody's back (%s)", async (server) => {
    const gateway = start(`setImmediate(() => { throw new Error("too late"); }); ${never}`, server);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    expect(gateway.output).toMatch(
      /The gateway did not start: \[plugin mine\] a failure that nobody caught: too late \(.*mine\.ts:/,
    );
  });
});

it("says which plugin ends the process", async () => {
  const gateway = start('hooks.beforeRequest.tap("mine", () => { log.info("last"); process.exit(7); });');
  const url = await gateway.url();
  const headers = { "content-type": "application/json" };
  await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: question("simulator/m") }).catch(() => {});
  expect(await gateway.ended).toEqual({ code: 7, signal: null });
  expect(gateway.output).toMatch(/"plugin":"mine".*"msg":"the process is ended by a plugin or a provider"/);
});

describe("workers of a plugin that waits for ever", () => {
  it("are ended when they are to stop before they have started", async () => {
    const gateway = start(never, "workers: 2");
    await gateway.printed(/the start still waits for a plugin/);
    gateway.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.output).toContain("a worker does not stop, ending it");
  });

  it("have as long as a plugin says that it takes to close", async () => {
    const last = 'await new Promise((done) => setTimeout(done, 200)); process.stdout.write("closed whole\\n");';
    const gateway = start(
      `onClose(async () => { ${last} }, 60_000);`,
      "workers: 2, shutdown: { notReady: 0, grace: 100 }",
    );
    await gateway.url();
    gateway.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.output.match(/closed whole/g)).toHaveLength(2);
  });

  it("stop where it does not close, and name it", async () => {
    const gateway = start(`onClose(async () => { ${never} });`, "workers: 2, shutdown: { notReady: 0, grace: 100 }");
    await gateway.url();
    gateway.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.output).toMatch(/"plugin":"mine".*"msg":"closing failed"/);
  });
});
