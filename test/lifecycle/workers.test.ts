import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type GatewayProcess, spawnGateway } from "../support/gateway-process.ts";
import { connectTo, question, rawRequest } from "../support/raw-client.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Says in a header which process answered, and by which config. */
const witness = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "witness",
  summary: "Says who answered.",
  options: z.strictObject({ as: z.string() }),
  setup({ hooks }, { as }) {
    hooks.afterRequest.tap("own", (answer) => ({ ...answer, headers: { "x-process": String(process.pid), "x-config": as } }));
  },
});
`;

const configOf = (as: string, server = "shutdown: { notReady: 0, grace: 5000 }") => `
server: { port: 0, workers: 2, ${server} }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  witness: { use: ./witness.ts, as: ${as} }
  access-log: {}
providers:
  simulator: { chunkDelay: 20 }
`;

function start(server?: string) {
  const folder = temporaryFolder({ "gateway.yaml": configOf("one", server), "witness.ts": witness });
  const file = join(folder, "gateway.yaml");
  return { file, gateway: spawnGateway(file) };
}

async function answeredBy(url: string): Promise<{ pid: string; config: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question("simulator/m"),
  });
  expect(response.status).toBe(200);
  await response.text();
  const { headers } = response;
  return { pid: headers.get("x-process") ?? "", config: headers.get("x-config") ?? "" };
}

/** Asks, on new connections, until two processes have answered; those that answer by another config do not count. */
async function bothWorkers(url: string, config: string, without?: string): Promise<string[]> {
  const pids = new Set<string>();
  await expect
    .poll(
      async () => {
        const answer = await answeredBy(url).catch(() => undefined);
        if (answer?.config === config && answer.pid !== without) pids.add(answer.pid);
        return pids.size;
      },
      { timeout: 10_000, interval: 5 },
    )
    .toBe(2);
  return [...pids];
}

/** Whether a process runs. One that has ended and is not yet taken note of by its parent does not. */
const isAlive = (pid: string): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
};

const expectGone = (pids: readonly string[]) =>
  expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);

/** Resolves once so many have. */
async function howMany(promises: readonly Promise<unknown>[], count: number): Promise<void> {
  const waiting = new Set(promises);
  const first = () => Promise.race([...waiting].map((one) => one.then(() => waiting.delete(one))));
  while (waiting.size > promises.length - count) await first();
}

/** Exactly one address is said, whoever was first to listen. */
const greetings = (gateway: GatewayProcess) => gateway.output.match(/listens on/g)?.length;

describe("two workers", () => {
  it("are two processes behind one port, which survive the death of one of them", async () => {
    const { gateway } = start();
    const url = await gateway.url();
    const pids = await bothWorkers(url, "one");
    expect(pids).not.toContain(String(gateway.child.pid));
    const [victim = "", survivor = ""] = pids;
    process.kill(Number(victim), "SIGKILL");
    await gateway.printed(/"signal":"SIGKILL".*worker ended/);
    expect((await answeredBy(url)).config).toBe("one");
    const after = await bothWorkers(url, "one", victim);
    expect(after).toContain(survivor);
    expect(greetings(gateway)).toBe(1);
    gateway.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    await expectGone(after);
  });

  it("do not take with them what was on its way to them", async () => {
    const { gateway } = start();
    const url = await gateway.url();
    const [victim = "", survivor] = await bothWorkers(url, "one");
    // It takes no connection that is given to it, and as long as it is there it might.
    process.kill(Number(victim), "SIGSTOP");
    const asked = [1, 2, 3, 4].map(() => answeredBy(url));
    await howMany(asked, 3);
    process.kill(Number(victim), "SIGKILL");
    for (const answer of await Promise.all(asked)) expect(answer.pid).toBe(survivor);
    await bothWorkers(url, "one", victim);
  });

  it("leave nobody waiting where both end", async () => {
    const { gateway } = start();
    const url = await gateway.url();
    const pids = await bothWorkers(url, "one");
    for (const pid of pids) process.kill(Number(pid), "SIGSTOP");
    const clients = await Promise.all([1, 2, 3].map(() => connectTo(url)));
    for (const client of clients) client.send(rawRequest(question("simulator/m")));
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    expect(await Promise.all(clients.map(({ ended }) => ended))).toEqual(["", "", ""]);
    gateway.kill("SIGTERM");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
  });

  it("all read a changed file, and none a wrong one", async () => {
    const { file, gateway } = start();
    const url = await gateway.url();
    const pids = await bothWorkers(url, "one");
    await writeFile(file, configOf("two"));
    expect((await bothWorkers(url, "two")).sort()).toEqual([...pids].sort());
    const mark = gateway.output.length;
    await writeFile(file, configOf("three", "nonsense: 1"));
    const [line] = await gateway.printed(/.*config not reloaded.*/, mark);
    expect(line).toMatch(/gateway\.yaml:2:\d+ .*nonsense/);
    expect((await bothWorkers(url, "two")).sort()).toEqual([...pids].sort());
  });

  it("read a file that was changed while one of them was starting", async () => {
    const { file, gateway } = start();
    const url = await gateway.url();
    const [victim = ""] = await bothWorkers(url, "one");
    process.kill(Number(victim), "SIGKILL");
    await gateway.printed(/"signal":"SIGKILL".*worker ended/);
    await writeFile(file, configOf("two"));
    await bothWorkers(url, "two");
    for (let count = 0; count < 20; count++) expect((await answeredBy(url)).config).toBe("two");
  });

  it("finish what runs when they are told to stop", async () => {
    const { gateway } = start();
    const url = await gateway.url();
    const pids = await bothWorkers(url, "one");
    const clients = await Promise.all([1, 2, 3, 4].map(() => connectTo(url)));
    for (const client of clients) client.send(rawRequest(question("simulator/m", { stream: true })));
    await Promise.all(clients.map((client) => client.until("data: ")));
    gateway.kill("SIGTERM");
    for (const client of clients) expect(await client.ended).toContain("data: [DONE]");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
    await expectGone(pids);
  });

  it("end with their supervisor: on a second signal, and when it is killed", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const { gateway } = start("shutdown: { notReady: 0, grace: 60000 }");
      const url = await gateway.url();
      const pids = await bothWorkers(url, "one");
      if (signal === "SIGTERM") {
        const client = await connectTo(url);
        client.send(rawRequest(question("simulator/fault-stall-after-2", { stream: true })));
        await client.until("data: ");
        gateway.kill("SIGTERM");
        await gateway.printed(/"msg":"stopping"/);
      }
      gateway.kill(signal);
      expect(await gateway.ended).toEqual(signal === "SIGTERM" ? { code: 1, signal: null } : { code: null, signal });
      await expectGone(pids);
    }
  });
});
