import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Claims what a header says for every request, and tells in headers who did and what became of it. */
const claimant = `
import { Counters, definePlugin, z } from "${surface}";
export default definePlugin({
  name: "claimant",
  summary: "Claims.",
  options: z.strictObject({}),
  needs: [Counters],
  setup({ hooks, service }) {
    const counters = service(Counters);
    hooks.afterRequest.tapPromise("own", async (answer, { metadata }) => {
      const { times, holdFor } = { times: Number(metadata.times), holdFor: Number(metadata.holdFor) };
      const now = counters.now();
      const claim = (at) => ({
        key: "k", limit: 100n, rule: "within", amount: 1n, expiresAt: now + 3_600_000,
        ...(holdFor > 0 && { hold: { id: process.pid + "-" + at + "-" + now, until: now + holdFor } }),
      });
      const claimed = await Promise.all(Array.from({ length: times }, async (_, at) => counters.claim("g", [claim(at)])));
      const look = await counters.claim("g", [{ ...claim(0), limit: 1000n, amount: 0n }]);
      const headers = {
        "x-process": String(process.pid),
        "x-shared": counters.shared,
        "x-granted": String(claimed.filter(({ granted }) => granted).length),
        "x-total": String(look.totals[0]),
      };
      return { ...answer, headers };
    });
  },
});
`;

const configOf = (workers: number) => `
server: { port: 0, workers: ${workers}, shutdown: { notReady: 0, grace: 1000 } }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  counters-memory: { timeout: 5000 }
  claimant: { use: ./claimant.ts }
providers:
  simulator: { chunkDelay: 0 }
`;

function start(workers: number) {
  const folder = temporaryFolder({ "gateway.yaml": configOf(workers), "claimant.ts": claimant });
  return spawnGateway(join(folder, "gateway.yaml"));
}

/** On a connection of its own, so that any worker may answer. */
async function claim(url: string, times: number, holdFor = 0) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      connection: "close",
      "x-gateway-metadata": JSON.stringify({ times: `${times}`, holdFor: `${holdFor}` }),
    },
    body: question("simulator/m"),
  });
  expect(await response.json()).toMatchObject({ choices: [{}] });
  const told = (name: string) => response.headers.get(`x-${name}`) ?? "";
  return {
    process: told("process"),
    shared: told("shared"),
    granted: Number(told("granted")),
    total: Number(told("total")),
  };
}

/** Looks until so many processes have answered. */
async function processes(url: string, count: number, without?: string): Promise<string[]> {
  const seen = new Set<string>();
  const look = async () => {
    const looked = await claim(url, 0).catch(() => undefined);
    if (looked && looked.process !== without) seen.add(looked.process);
    return seen.size;
  };
  await expect.poll(look, { timeout: 20_000, interval: 5 }).toBe(count);
  return [...seen];
}

describe("four workers", () => {
  it("share their counters, also with the one that takes the place of a dead one, and over a reload", async () => {
    const gateway = start(4);
    const url = await gateway.url();
    const [victim = ""] = await processes(url, 4);
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(url, 15)));
    expect(claims.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
    expect(new Set(claims.map(({ shared }) => shared))).toEqual(new Set(["machine"]));
    process.kill(Number(victim), "SIGKILL");
    await gateway.printed(/"signal":"SIGKILL".*worker ended/);
    await processes(url, 4, victim);
    expect(await claim(url, 1)).toMatchObject({ granted: 0, total: 100 });
    const mark = gateway.output.length;
    gateway.kill("SIGHUP");
    await gateway.printed(/(config reloaded[\s\S]*){4}/, mark);
    expect(await claim(url, 1)).toMatchObject({ granted: 0, total: 100 });
  }, 60_000);

  it("are not bothered for long by what a dead one held", async () => {
    const gateway = start(2);
    const url = await gateway.url();
    await processes(url, 2);
    const { process: victim, granted } = await claim(url, 100, 1500);
    expect(granted).toBe(100);
    process.kill(Number(victim), "SIGKILL");
    await gateway.printed(/"signal":"SIGKILL".*worker ended/);
    const look = async () => (await claim(url, 0).catch(() => undefined))?.total;
    await expect.poll(look, { timeout: 20_000, interval: 20 }).toBe(0);
    expect(await claim(url, 100)).toMatchObject({ granted: 100, total: 100 });
  }, 60_000);
});

it("a single process keeps its counters over a reload, and begins at zero with a start", async () => {
  for (const _ of ["first", "second"]) {
    const gateway = start(1);
    const url = await gateway.url();
    expect(await claim(url, 60)).toMatchObject({ shared: "process", granted: 60, total: 60 });
    const mark = gateway.output.length;
    gateway.kill("SIGHUP");
    await gateway.printed(/config reloaded/, mark);
    expect(await claim(url, 60)).toMatchObject({ granted: 40, total: 100 });
  }
}, 60_000);
