import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type ParsedFamily, parsed, totalOf } from "../../plugins/metrics/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";

const config = `
server: { port: 0, workers: 3, shutdown: { notReady: 0 } }
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  metrics: {}
providers:
  simulator: {}
`;

/** On a connection of its own: some worker. */
const ask = (url: string) =>
  fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: question("simulator/m"),
  }).then((response) => response.text());

async function scrape(url: string): Promise<ReadonlyMap<string, ParsedFamily>> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: "close" } });
  return parsed(await response.text());
}

const workersIn = (families: ReadonlyMap<string, ParsedFamily>, name: string) =>
  (families.get(name)?.samples ?? []).map(({ labels }) => labels.worker).sort();

const childrenOf = (pid: number | undefined): string[] =>
  spawnSync("ps", ["-o", "pid=", "--ppid", `${pid}`], { encoding: "utf8" })
    .stdout.trim()
    .split(/\s+/);

const endpoint = { endpoint: "/v1/chat/completions" };
const waiting = { timeout: 15_000, interval: 20 };

it("whichever worker is asked answers for all, and goes on where one of them ended", async () => {
  const gateway = spawnGateway(join(temporaryFolder({ "gateway.yaml": config }), "gateway.yaml"));
  const url = await gateway.url();
  const running = "node_process_start_time_seconds";
  await expect.poll(async () => workersIn(await scrape(url), running).length, waiting).toBe(3);
  for (let asked = 0; asked < 30; asked++) await ask(url);
  const total = async () => totalOf(await scrape(url), "request_count", endpoint);
  await expect.poll(total, waiting).toBe(30);
  for (let again = 0; again < 6; again++) {
    const families = await scrape(url);
    expect(totalOf(families, "request_count", endpoint)).toBe(30);
    expect(totalOf(families, "gateway_request_duration_milliseconds_count", endpoint)).toBe(30);
    expect(workersIn(families, running)).toEqual(["1", "2", "3"]);
    expect(workersIn(families, "metrics_workers_missing")).toHaveLength(2);
    expect(totalOf(families, "metrics_workers_missing")).toBe(0);
  }
  const [victim] = childrenOf(gateway.child.pid);
  process.kill(Number(victim), "SIGKILL");
  await gateway.printed(/"signal":"SIGKILL".*worker ended/);
  await expect.poll(async () => workersIn(await scrape(url), running), waiting).toContain("4");
  for (let again = 0; again < 6; again++) expect(await total()).toBe(30);
});
