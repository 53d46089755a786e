import type { ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { said } from "../faults/vendor.ts";
import { eventually, expectHealthy } from "../support/calm.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { startFreeGateway, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { question } from "../support/raw-client.ts";
import { deferred } from "../support/raw-upstream.ts";
import { startUpstream } from "../support/upstream.ts";

const surface = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** Says in the log when it is set up, when a request is recorded, and when it is closed: which of them, by name. */
const witness = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "witness",
  summary: "Says what happens to it.",
  options: z.strictObject({ as: z.string(), fails: z.boolean().default(false) }),
  setup({ hooks, log, onClose }, { as, fails }) {
    onClose(() => log.info("closed " + as));
    if (fails) throw new Error("no luck today");
    log.info("opened " + as);
    hooks.afterRequest.tap("own", (answer) => ({ ...answer, headers: { "x-generation": as } }));
    hooks.cost.tapPromise("own", async () => {
      await new Promise(setImmediate);
      log.info("recorded by " + as);
    });
  },
});
`;

const configOf = (name: string, vendor: string, more = "") => `
plugins:
  auth-open: {}
  routing: { default: simulator }
  format-openai-chat: {}
  format-anthropic-messages: {}
  witness: { use: ./witness.ts, as: ${name} }
  ${more}
providers:
  simulator: {}
  openai: { apiKey: vendor-key, baseUrl: ${vendor}/v1 }
`;

/** A vendor whose streams go on when the test says so. */
async function start() {
  const calls: ServerResponse[] = [];
  const [first = "", ...others] = said.openai.frames;
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.write(first);
    calls.push(response);
  });
  const folder = temporaryFolder({ "witness.ts": witness });
  const gateway = await startTestGateway(configOf("one", upstream.url), {}, folder);
  const proceed = () => {
    for (const response of calls.splice(0)) response.end(others.join(""));
  };
  return { upstream, gateway, proceed };
}

const chat = (gateway: TestGateway, model: string, stream = false) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: question(model, { stream }),
  });

const events = (gateway: TestGateway): string[] =>
  gateway.log.lines.map(({ message }) => message).filter((message) => /^(?:opened|closed|recorded)/.test(message));

describe("a reload", () => {
  it("leaves a running stream alone; the next request meets the new config; the old one closes behind its last record", async () => {
    const { upstream, gateway, proceed } = await start();
    const running = await chat(gateway, "openai/m", true);
    const old = gateway.generation;
    gateway.write(configOf("two", upstream.url));
    expect(await gateway.reload()).toBe(true);
    expect(gateway.generation).not.toBe(old);
    expect(old.active).toBe(1);
    const next = await chat(gateway, "simulator/m");
    expect(next.headers.get("x-generation")).toBe("two");
    await next.text();
    await eventually(() => expect(events(gateway)).toEqual(["opened one", "opened two", "recorded by two"]));
    proceed();
    const text = await running.text();
    expect(text).toContain('"content":"Hello"');
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    await eventually(() => {
      expect(events(gateway).slice(3)).toEqual(["recorded by one", "closed one"]);
      expect(old.active).toBe(0);
    });
    await expectHealthy(gateway);
  });

  it("closes an old generation without exchanges at once", async () => {
    const { upstream, gateway } = await start();
    gateway.write(configOf("two", upstream.url));
    await gateway.reload();
    await eventually(() => expect(events(gateway)).toEqual(["opened one", "opened two", "closed one"]));
  });

  it("leaves nothing of an old generation in memory", async () => {
    const { upstream, gateway } = await start();
    const old = new WeakRef(gateway.generation);
    gateway.write(configOf("two", upstream.url));
    await gateway.reload();
    await eventually(() => expect(events(gateway)).toContain("closed one"));
    await eventually(() => {
      collectGarbage();
      expect(old.deref() === undefined).toBe(true);
    });
  });

  it("keeps connections: the same one meets the new config with its next request", async () => {
    const { upstream, gateway } = await start();
    await (await chat(gateway, "simulator/m")).text();
    gateway.write(configOf("two", upstream.url));
    await gateway.reload();
    expect((await chat(gateway, "simulator/m")).headers.get("x-generation")).toBe("two");
  });

  it.each([
    [
      "an unknown option",
      (text: string) => text.replace("simulator: {}", "simulator: { chunkDelai: 1 }"),
      /test\.yaml:\d+:\d+ .*chunkDelai/,
    ],
    ["no YAML", (text: string) => `${text}\n  - : :`, /test\.yaml:\d+:\d+ /],
    ["an unknown plugin", (text: string) => text.replace("auth-open", "auth-opne"), /test\.yaml:\d+:\d+ .*auth-opne/],
    ["nothing", () => "", /test\.yaml:1:1 .*empty/],
    [
      "a plugin that does not start",
      (text: string) => text.replace("as: one", "as: bad, fails: true"),
      /\[plugin witness\] setup: no luck today/,
    ],
  ])("of a file with %s changes nothing and says why", async (_, spoil, reason) => {
    const { upstream, gateway, proceed } = await start();
    const running = await chat(gateway, "openai/m", true);
    const { generation, config } = gateway;
    gateway.write(spoil(configOf("one", upstream.url)));
    expect(await gateway.reload()).toBe(false);
    expect(gateway.generation).toBe(generation);
    expect(gateway.config).toBe(config);
    const line = gateway.log.lines.find(({ level }) => level === "error");
    expect(line?.message).toMatch(/^config not reloaded, the old one stays:\n/);
    expect(line?.message).toMatch(reason);
    expect(events(gateway).filter((event) => event.endsWith("one"))).toEqual(["opened one"]);
    // Of a start that failed nothing stays open.
    expect(events(gateway).includes("closed bad")).toBe(reason.source.includes("luck"));
    expect((await chat(gateway, "simulator/m")).headers.get("x-generation")).toBe("one");
    proceed();
    expect(await running.text()).toContain("data: [DONE]");
    gateway.write(configOf("two", upstream.url));
    expect(await gateway.reload()).toBe(true);
    expect((await chat(gateway, "simulator/m")).headers.get("x-generation")).toBe("two");
  });

  it("may come again and again under load: every request is answered, and every generation but the last is closed", async () => {
    const { upstream, gateway } = await start();
    const over = deferred<void>();
    let answered = 0;
    const load = Array.from({ length: 8 }, async () => {
      let running = true;
      void over.promise.then(() => {
        running = false;
      });
      while (running) {
        const response = await chat(gateway, "simulator/m", answered % 2 === 0);
        expect(response.status).toBe(200);
        expect((await response.text()).length).toBeGreaterThan(100);
        answered++;
      }
    });
    for (let count = 0; count < 15; count++) {
      gateway.write(configOf(`g${count}`, upstream.url));
      expect(await gateway.reload()).toBe(true);
      const before = answered;
      await eventually(() => expect(answered).toBeGreaterThan(before + 8));
    }
    over.resolve();
    await Promise.all(load);
    await eventually(() => {
      const closed = events(gateway).filter((event) => event.startsWith("closed"));
      expect(closed.sort()).toEqual(["closed one", ...Array.from({ length: 14 }, (_, at) => `closed g${at}`)].sort());
    });
    const lines = events(gateway);
    for (const name of ["one", "g0", "g13"])
      expect(lines.lastIndexOf(`recorded by ${name}`)).toBeLessThan(lines.indexOf(`closed ${name}`));
  });

  it("that asks for another port says that this takes a restart", async () => {
    const { upstream, gateway } = await start();
    gateway.write(`server: { host: localhost }${configOf("two", upstream.url)}`);
    expect(await gateway.reload()).toBe(true);
    expect(gateway.log.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: "server.host changed: this takes effect at the next start" }),
    );
  });
});

describe("a reload whose plugin is never ready", () => {
  const waiting = `
import { definePlugin, z } from "${surface}";
export default definePlugin({
  name: "waiting",
  summary: "Waits for something that does not come.",
  options: z.strictObject({}),
  setup({ log }) {
    log.info("opened waiting");
    return new Promise(() => undefined);
  },
});
`;

  async function stuck() {
    const upstream = await startUpstream(() => undefined);
    const folder = temporaryFolder({ "witness.ts": witness, "waiting.ts": waiting });
    const gateway = await startFreeGateway(configOf("one", upstream.url), {}, folder);
    gateway.write(configOf("two", upstream.url, "waiting: { use: ./waiting.ts }"));
    return { gateway, upstream };
  }

  it("gives up, and the next one is not kept out", async () => {
    const { gateway, upstream } = await stuck();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const reloading = gateway.reload();
    while (!events(gateway).includes("opened waiting")) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await reloading).toBe(false);
    vi.useRealTimers();
    expect(gateway.log.lines.at(-1)?.message).toMatch(
      /^config not reloaded, the old one stays:\nIt was not set up within 60/,
    );
    gateway.write(configOf("three", upstream.url));
    expect(await gateway.reload()).toBe(true);
    await gateway.shutdown(0, 0);
  });

  it("does not keep the gateway from ending", async () => {
    const { gateway } = await stuck();
    void gateway.reload();
    await eventually(() => expect(events(gateway)).toContain("opened waiting"));
    await gateway.shutdown(0, 50);
    expect(events(gateway)).toContain("closed one");
  });
});
