import { writeFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type GatewayProcess, spawnGateway } from "../support/gateway-process.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";

const configOf = (server: string, pace = "{}", more = "") => `
server: { port: 0, ${server} }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  access-log: {}
  ${more}
providers:
  simulator: ${pace}
`;

function start(server: string, pace?: string, files: Record<string, string> = {}, more?: string) {
  const folder = temporaryFolder({ "gateway.yaml": configOf(server, pace, more), ...files });
  const file = join(folder, "gateway.yaml");
  return { folder, file, gateway: spawnGateway(file) };
}

const ask = (url: string, model: string, stream = false) =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question(model, { stream }),
  });

const requestId = async (url: string, header: string): Promise<string | null> => {
  const response = await ask(url, "simulator/m");
  await response.text();
  return response.headers.get(header);
};

/** A stream that has begun. */
async function streaming(url: string, model: string) {
  const client = await connectTo(url);
  client.send(rawRequest(question(model, { stream: true })));
  await client.until("data: ");
  return client;
}

/** Waits until a process says it has read its config anew. */
const reloaded = (gateway: GatewayProcess, after: number) => gateway.printed(/config reloaded/, after);

describe("the config file of a running gateway", () => {
  it("is read again when it is written, and when another takes its place; streams go on", async () => {
    const { folder, file, gateway } = start("headers: { prefix: x-first- }", "{ chunkDelay: 60 }");
    const url = await gateway.url();
    expect(await requestId(url, "x-first-request-id")).not.toBeNull();
    const stream = await streaming(url, "simulator/m");
    let mark = gateway.output.length;
    await writeFile(file, configOf("headers: { prefix: x-second- }"));
    await reloaded(gateway, mark);
    expect(await requestId(url, "x-second-request-id")).not.toBeNull();
    await stream.until("data: [DONE]");
    expect(stream.received).toContain("x-first-request-id");
    mark = gateway.output.length;
    await writeFile(join(folder, "next.yaml"), configOf("headers: { prefix: x-third- }"));
    await rename(join(folder, "next.yaml"), file);
    await reloaded(gateway, mark);
    expect(await requestId(url, "x-third-request-id")).not.toBeNull();
  });

  it("is read again when it was written while the gateway was starting", async () => {
    const editor = `
import { writeFileSync } from "node:fs";
import { definePlugin, z } from "${pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href}";
export default definePlugin({
  name: "editor",
  summary: "Writes the config file anew while it is in use for the first time.",
  options: z.strictObject({ text: z.string() }),
  setup({ folder }, { text }) {
    writeFileSync(folder + "/gateway.yaml", text);
  },
});
`;
    const next = configOf("headers: { prefix: x-second- }");
    const { gateway } = start(
      "headers: { prefix: x-first- }",
      "{}",
      { "editor.ts": editor },
      `editor: { use: ./editor.ts, text: ${JSON.stringify(next)} }`,
    );
    const url = await gateway.url();
    await reloaded(gateway, 0);
    expect(await requestId(url, "x-second-request-id")).not.toBeNull();
  });

  it("is read again on SIGHUP", async () => {
    const { gateway } = start("log: { level: info }");
    const url = await gateway.url();
    gateway.kill("SIGHUP");
    await reloaded(gateway, 0);
    expect((await ask(url, "simulator/m")).status).toBe(200);
  });

  it.each(["", "workers: 2"])(
    "is read again on SIGHUP where it cannot be watched, which is told (%s)",
    async (more) => {
      const folder = temporaryFolder({
        "gateway.yaml": configOf(`headers: { prefix: x-first- }, ${more}`),
        "no-watches.mjs": `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.watch = () => { throw Object.assign(new Error("System limit for number of file watchers reached"), { code: "ENOSPC" }); };
syncBuiltinESMExports();
`,
      });
      const file = join(folder, "gateway.yaml");
      const gateway = spawnGateway(file, { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "no-watches.mjs"))}` });
      const url = await gateway.url();
      const [line] = await gateway.printed(/.*cannot be watched.*/);
      expect(JSON.parse(line)).toMatchObject({ level: 40, file, folder, error: { code: "ENOSPC" } });
      const mark = gateway.output.length;
      await writeFile(file, configOf(`headers: { prefix: x-second- }, ${more}`));
      gateway.kill("SIGHUP");
      await reloaded(gateway, mark);
      await expect.poll(() => requestId(url, "x-second-request-id")).not.toBeNull();
      expect(gateway.output.match(/cannot be watched/g)).toHaveLength(1);
    },
  );

  it("is left alone when it is wrong: the log says where, and the old one stays", async () => {
    const { file, gateway } = start("headers: { prefix: x-first- }");
    const url = await gateway.url();
    await writeFile(file, configOf("headers: { prefix: x-second- }, clokcs: {}"));
    const [line] = await gateway.printed(/.*config not reloaded.*/);
    expect(JSON.parse(line)).toMatchObject({ msg: expect.stringContaining(`${file}:2:`) });
    expect(line).toMatch(/gateway\.yaml:2:\d+ .*clokcs.*did you mean \\"clocks\\"/);
    expect(await requestId(url, "x-first-request-id")).not.toBeNull();
    const mark = gateway.output.length;
    await writeFile(file, configOf("headers: { prefix: x-third- }"));
    await reloaded(gateway, mark);
    expect(await requestId(url, "x-third-request-id")).not.toBeNull();
  });

  it("keeps a gateway from starting when it is wrong", async () => {
    const file = join(temporaryFolder({ "gateway.yaml": "plugins:\n  auth-opne: {}\n" }), "gateway.yaml");
    const gateway = spawnGateway(file);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    expect(gateway.output).toMatch(/gateway\.yaml:2:3 .*auth-opne.*did you mean "auth-open"/);
  });
});

describe("a gateway that is told to stop", () => {
  it("drains on SIGTERM: not ready but healthy, streams end whole, exit code 0", async () => {
    const { gateway } = start("shutdown: { notReady: 400, grace: 20000 }", "{ chunkDelay: 100 }");
    const url = await gateway.url();
    const stream = await streaming(url, "simulator/m");
    expect((await fetch(`${url}/v1/ready`)).status).toBe(200);
    gateway.kill("SIGTERM");
    await gateway.printed(/"msg":"stopping"/);
    expect((await fetch(`${url}/v1/ready`, { headers: { connection: "close" } })).status).toBe(503);
    expect((await fetch(`${url}/v1/health`, { headers: { connection: "close" } })).status).toBe(200);
    expect(await stream.ended).toContain("data: [DONE]");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.output).toContain('"ending":"complete"');
  });

  it("ends what still runs at its limit, records it, and exits with 0", async () => {
    const { gateway } = start("shutdown: { notReady: 0, grace: 100 }");
    const stream = await streaming(await gateway.url(), "simulator/fault-stall-after-2");
    gateway.kill("SIGTERM");
    expect(await stream.ended).not.toContain("[DONE]");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    expect(gateway.output).toMatch(/shutdown limit reached/);
    expect(gateway.output).toContain('"ending":"truncated"');
  });

  it("does not wait for load balancers on SIGINT", async () => {
    const { gateway } = start("shutdown: { notReady: 60000, grace: 60000 }");
    await gateway.url();
    gateway.kill("SIGINT");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends at once with 1 on a second signal, %s", async (signal) => {
    const { gateway } = start("shutdown: { notReady: 60000, grace: 60000 }");
    await streaming(await gateway.url(), "simulator/fault-stall-after-2");
    gateway.kill("SIGTERM");
    await gateway.printed(/"msg":"stopping"/);
    gateway.kill(signal);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
  });
});

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

describe("a failure nobody catches", () => {
  it.each([
    ["thrown", 'setImmediate(() => { throw new Error("out of the blue"); });'],
    ["of a promise", 'void Promise.reject(new Error("out of the blue"));'],
  ])("%s is logged, closes plugins, and ends the process with 1", async (_, fail) => {
    const plugin = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "mine",
  summary: "Fails behind everybody's back.",
  options: z.strictObject({}),
  setup({ hooks, log, onClose }) {
    onClose(() => log.info("closed mine"));
    hooks.beforeRequest.tap("mine", () => { ${fail} });
  },
});
`;
    const { gateway } = start("log: {}", "{}", { "mine.ts": plugin }, "mine: { use: ./mine.ts }");
    const url = await gateway.url();
    await ask(url, "simulator/fault-silence").catch(() => undefined);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    expect(gateway.output).toMatch(/"plugin":"mine".*"msg":"uncaught failure, stopping"/);
    expect(gateway.output).toMatch(/out of the blue/);
    expect(gateway.output).toMatch(/closed mine/);
  });
});

describe("a port that is taken", () => {
  it.each([1, 2])("is named, and the start fails with 1 (workers: %i)", async (workers) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const folder = temporaryFolder();
    const file = join(folder, "gateway.yaml");
    writeFileSync(file, configOf(`workers: ${workers}`).replace("port: 0", `port: ${port}`));
    const gateway = spawnGateway(file);
    expect(await gateway.ended).toEqual({ code: 1, signal: null });
    const message = `Port ${port} of 127.0.0.1 is taken: stop what listens there, or start with --port.\n`;
    expect(gateway.output.split(message)).toHaveLength(2);
    const other = spawnGateway(file, {}, ["--port", "0"]);
    expect((await ask(await other.url(), "simulator/m")).status).toBe(200);
  });
});
