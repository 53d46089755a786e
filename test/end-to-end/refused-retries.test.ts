import { expect, it, onTestFinished } from "vitest";
import { definePlugin, GatewayError, z } from "../../core/index.ts";
import { startGateway } from "../../core/test-kit/index.ts";

/** A limit that lets nothing through while its store is away, which it may not be at the next moment. Another one counts. */
const limit = definePlugin({
  name: "limit",
  summary: "Lets nothing through.",
  options: z.strictObject({ most: z.number() }),
  setup({ hooks, log }, { most }) {
    hooks.beforeRequest.tap({ name: "limit", again: () => log.info("counted") }, (request) => {
      log.info("counted");
      return request;
    });
    let refused = 0;
    hooks.beforeRequest.tap("limit", (request) => {
      if (refused++ === most) return request;
      log.info("refused");
      throw new GatewayError("limit_store_unavailable", "The counters are away.");
    });
  },
});

const retry = JSON.stringify({ provider: "@openai", retry: { attempts: 1 } });

/** A gateway with a limit that refuses so many calls. */
async function start(most: number) {
  const gateway = await startGateway({
    plugins: [limit],
    config: {
      plugins: {
        limit: { most },
        "auth-open": {},
        routing: {},
        retry: {},
        proxy: {},
        "format-openai-chat": {},
        "format-openai-files": {},
      },
      providers: { openai: { apiKey: "vendor-key-0123456789", baseUrl: "${VENDOR}" } },
    },
    upstreams: { VENDOR: { json: {} } },
  });
  onTestFinished(gateway.close);
  const ask = async (method: string, path: string) => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    const headers = { "content-type": "application/json", "x-gateway-config": retry };
    const response = await gateway.fetch(path, { method, headers, ...(method === "POST" && { body }) });
    return [response.status, gateway.upstreams.VENDOR.calls.length];
  };
  const times = (said: string) => gateway.log.lines.filter(({ message }) => message === said).length;
  return { ask, times };
}

const calls = [
  ["a request that is read", "POST", "/v1/chat/completions"],
  ["a raw call", "POST", "/v1/proxy/anything"],
  ["a call of several", "GET", "/v1/batches/batch_1"],
] as const;

it.each(calls)("%s that a tap has refused is refused as often as it is tried", async (_, method, path) => {
  const { ask, times } = await start(9);
  expect(await ask(method, path)).toEqual([503, 0]);
  expect(times("refused")).toBe(2);
});

it.each(calls)("%s that is let through at last is counted as often as it is asked about", async (_, method, path) => {
  const { ask, times } = await start(1);
  expect((await ask(method, path)).at(-1)).toBe(1);
  expect([times("refused"), times("counted")]).toEqual([1, 2]);
});
