import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const nested = { strategy: { mode: "fallback" }, targets: [{ provider: "@first" }, { provider: "@second" }] };
const configs = {
  "a group that would choose another": {
    strategy: { mode: "loadbalance" },
    targets: [
      { provider: "@first", weight: 0 },
      { provider: "@second", weight: 1 },
    ],
  },
  "a group that would go on": nested,
  "groups within": { strategy: { mode: "fallback" }, targets: [nested, { provider: "@second" }] },
};

it.each(
  Object.entries(configs).flatMap(([what, config]) =>
    ["GET /models", "GET /responses/r", "DELETE /responses/r", "POST /responses/r/cancel"].map(
      (call) => [call, what, config] as const,
    ),
  ),
)("%s asks the first leaf and no other, where the config has %s", async (call, _, config) => {
  const [method = "", path = ""] = call.split(" ");
  const vendor = await startUpstream((__, response) => json(response, 503, { error: { message: "Not now." } }));
  const plugins = [
    "auth-open",
    "strategy-loadbalance",
    "strategy-fallback",
    "records-file",
    "responses-store",
    "proxy",
  ];
  const formats = ["format-openai-chat", "format-openai-responses"];
  const provider = (name: string) => ({ use: "openai", apiKey: "k", baseUrl: `${vendor.url}/${name}` });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: { routing: {}, ...Object.fromEntries([...plugins, ...formats].map((name) => [name, {}])) },
      providers: { first: provider("first"), second: provider("second") },
    }),
  );
  const headers = { "x-gateway-config": JSON.stringify(config) };
  const answer = await fetch(`${gateway.url}/v1${path}`, { method, headers });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("x-gateway-last-used-option-index")).toMatch(/^config(\.targets\[0\])+$/);
  expect(vendor.received.map(({ url }) => url)).toEqual([`/first${path}`]);
});
