import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { type GatewayProcess, spawnGateway } from "../support/gateway-process.ts";
import { question } from "../support/raw-client.ts";
import { describeWithRedis, startRedisServer } from "../support/redis-server.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Says in a header which process answered. */
const witness = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "witness",
  summary: "Says who answered.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.afterRequest.tap("own", (answer) => ({ ...answer, headers: { "x-process": String(process.pid) } }));
  },
});
`;

interface Shape {
  readonly workers: number;
  /** Lines of \`plugins\`. */
  readonly plugins: string;
}

const configOf = ({ workers, plugins }: Shape) => `
server: { port: 0, workers: ${workers}, shutdown: { notReady: 0, grace: 1000 } }
plugins:
  auth-open: {}
  routing:
    configs:
      guarded:
        strategy: { mode: fallback, cb_config: { failure_threshold: 3, cooldown_interval: 600000 } }
        targets: [{ provider: "@simulator/fault-status-503" }, { provider: "@simulator/well" }]
      other:
        strategy: { mode: fallback, cb_config: { failure_threshold: 1, cooldown_interval: 600000 } }
        targets: [{ provider: "@simulator/fault-status-503" }, { provider: "@simulator/well" }]
      sticky:
        strategy: { mode: loadbalance, sticky: { enabled: true, hash_fields: [metadata.user] } }
        targets: [{ provider: "@simulator/a" }, { provider: "@simulator/b" }]
  strategy-fallback: {}
  strategy-loadbalance: {}
  circuit-breaker: {}
  format-openai-chat: {}
  witness: { use: ./witness.ts }
${plugins}
providers:
  simulator: { chunkDelay: 0 }
`;

function start(shape: Shape): GatewayProcess {
  return spawnGateway(
    join(temporaryFolder({ "gateway.yaml": configOf(shape), "witness.ts": witness }), "gateway.yaml"),
  );
}

/** On a connection of its own, so that any worker may answer. */
async function ask(url: string, config: string, user = "ada") {
  const { status, headers } = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      connection: "close",
      "x-gateway-config": config,
      "x-gateway-metadata": JSON.stringify({ user }),
    },
    body: question("m"),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response;
  });
  return {
    status,
    used: headers.get("x-gateway-last-used-option-index"),
    out: headers.get("x-gateway-circuit-open"),
    pid: headers.get("x-process") ?? "",
  };
}

const ofCaller = JSON.stringify({
  strategy: { mode: "fallback", cb_config: { failure_threshold: 1, cooldown_interval: 600_000 } },
  targets: [{ provider: "@simulator/fault-status-503", api_key: "a-callers-key" }, { provider: "@simulator/well" }],
});

type Asked = Awaited<ReturnType<typeof ask>>;

/** Asks until as many processes have answered the way that is wanted. */
async function allProcesses(urls: readonly string[], count: number, wanted: (asked: Asked) => boolean, config: string) {
  const pids = new Set<string>();
  const look = async () => {
    for (const url of urls) {
      const asked = await ask(url, config);
      expect(asked.status).toBe(200);
      if (wanted(asked)) pids.add(asked.pid);
    }
    return pids.size;
  };
  await expect.poll(look, { timeout: 20_000, interval: 5 }).toBe(count);
}

const leavesOut = ({ out }: Asked) => out === "config.targets[0]";

/** Where each user is sent by each process, once all agree. */
async function agree(urls: readonly string[], count: number, users: readonly string[]) {
  for (const user of users) {
    const went = new Map<string, string | null>();
    const look = async () => {
      for (const url of urls) {
        const { pid, used, status } = await ask(url, "sticky", user);
        expect(status).toBe(200);
        went.set(pid, used);
      }
      return went.size === count ? new Set(went.values()).size : 0;
    };
    await expect.poll(look, { timeout: 20_000, interval: 5 }).toBe(1);
    const [place] = went.values();
    for (let time = 0; time < 6; time++)
      for (const url of urls) expect((await ask(url, "sticky", user)).used).toBe(place);
  }
}

const users = ["ada", "bob", "cyd", "dan", "eve", "fay"];

describe("two workers", () => {
  it("leave out what either of them found failing, and send a caller the same way", async () => {
    const gateway = start({ workers: 2, plugins: "  bus-local: {}" });
    const url = await gateway.url();
    await allProcesses([url], 2, () => true, "sticky");
    // Each request fails on one of them only; together they have seen three.
    for (let request = 0; request < 3; request++) await ask(url, "guarded");
    await allProcesses([url], 2, leavesOut, "guarded");
    // Opened by one of them: the other has never called it.
    await ask(url, "other");
    await allProcesses([url], 2, leavesOut, "other");
    // One that comes with a secret has its circuits at both of them as well.
    await ask(url, ofCaller);
    await allProcesses([url], 2, leavesOut, ofCaller);
    await agree([url], 2, users);
  }, 60_000);
});

it("two workers that read their file anew hear each other once, as before", async () => {
  const gateway = start({ workers: 2, plugins: "  bus-local: {}" });
  const url = await gateway.url();
  await allProcesses([url], 2, () => true, "sticky");
  const mark = gateway.output.length;
  gateway.kill("SIGHUP");
  await gateway.printed(/config reloaded[\s\S]*config reloaded/, mark);
  for (let request = 0; request < 2; request++) await ask(url, "guarded");
  const counted = async () => {
    const seen = new Set<unknown>();
    for (let time = 0; time < 8; time++) {
      const answer = await fetch(`${url}/v1/health/targets`, { headers: { connection: "close" } });
      const { data } = (await answer.json()) as { data: { path: string; failures: number }[] };
      seen.add(data.find(({ path }) => path === "config.targets[0]")?.failures);
    }
    return [...seen];
  };
  await expect.poll(counted, { timeout: 10_000 }).toEqual([2]);
}, 60_000);

describeWithRedis("two replicas that share a Redis", () => {
  async function replicas() {
    const redis = await startRedisServer();
    onTestFinished(() => redis.stop());
    const plugins = `
  redis: { url: "${redis.url}", commandTimeout: 200 }
  bus-redis: {}
  cache-redis: {}`;
    const urls = await Promise.all([1, 2].map(() => start({ workers: 1, plugins }).url()));
    return { redis, urls, one: urls[0] ?? "", two: urls[1] ?? "" };
  }

  it("share what they know of targets and callers", async () => {
    const { urls, one, two } = await replicas();
    // The connection may still be made when the first requests arrive.
    for (let request = 0; request < 3; request++) await ask(one, "guarded");
    expect(leavesOut(await ask(one, "guarded"))).toBe(true);
    await allProcesses([two], 1, leavesOut, "guarded");
    await agree(urls, 2, users);
  }, 60_000);

  it("go on while it is stopped, frozen and restarted, and share again afterwards", async () => {
    const { redis, urls, one, two } = await replicas();
    await agree(urls, 2, ["before"]);
    await redis.stop();
    for (const url of urls) for (const user of users) expect((await ask(url, "sticky", user)).status).toBe(200);
    for (let request = 0; request < 3; request++) expect((await ask(one, "guarded")).status).toBe(200);
    expect(leavesOut(await ask(one, "guarded"))).toBe(true);
    expect(leavesOut(await ask(two, "guarded"))).toBe(false);
    await redis.restart();
    // Also those whom each has sent somewhere alone.
    await agree(urls, 2, [...users, "after"]);
    redis.freeze();
    for (const url of urls)
      for (const user of users) expect((await ask(url, "sticky", `${user} in the frost`)).status).toBe(200);
    redis.thaw();
    await agree(urls, 2, ["thawed"]);
    await ask(one, "other");
    await allProcesses([two], 1, leavesOut, "other");
  }, 60_000);
});
