import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const core = pathToFileURL(new URL("../../core/index.ts", import.meta.url).pathname).href;

/** A limit that lets nothing through while its store is away, which it may not be at the next moment. */
const limit = `
import { definePlugin, GatewayError, z } from "${core}";
export default definePlugin({
  name: "limit",
  summary: "Lets nothing through.",
  options: z.strictObject({}),
  setup({ hooks, log }) {
    hooks.beforeRequest.tap("limit", () => {
      log.info("refused");
      throw new GatewayError("limit_store_unavailable", "The counters are away.");
    });
  },
});
`;

const retry = JSON.stringify({ provider: "@openai", retry: { attempts: 1 } });

it.each([
  ["a request that is read", "POST", "/v1/chat/completions"],
  ["a raw call", "POST", "/v1/proxy/anything"],
  ["a call of several", "GET", "/v1/batches/batch_1"],
])("%s that a tap has refused is refused as often as it is tried", async (_, method, path) => {
  const upstream = await startUpstream((_, response) => json(response, 200, {}));
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        limit: { use: "./limit.ts" },
        "auth-open": {},
        routing: {},
        retry: {},
        proxy: {},
        "format-openai-chat": {},
        "format-openai-files": {},
      },
      providers: { openai: { apiKey: "vendor-key-0123456789", baseUrl: upstream.url } },
    }),
    {},
    temporaryFolder({ "limit.ts": limit }),
  );
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  const headers = { "content-type": "application/json", "x-gateway-config": retry };
  const response = await fetch(gateway.url + path, { method, headers, ...(method === "POST" && { body }) });
  expect([response.status, upstream.received.length]).toEqual([503, 0]);
  expect(gateway.log.lines.filter(({ message }) => message === "refused")).toHaveLength(2);
});
