import { expect, it } from "vitest";
import type { Endpoint, Format, PluginContext } from "../../core/index.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import { batchEndpoints } from "./batches.ts";
import { cloudEndpoints } from "./clouds/endpoints.ts";
import plugin, {
  anthropicCount,
  anthropicMessages,
  countAtVertex,
  messagesAtBedrock,
  messagesAtVertex,
} from "./index.ts";

it("brings the format, its dialects and the endpoints that speak them", () => {
  const formats: Format[] = [];
  const endpoints: Endpoint[] = [];
  const context: Pick<PluginContext, "format" | "formats" | "endpoint" | "server" | "offered" | "log"> = {
    formats: new Map(),
    offered: () => undefined,
    log: keepingLogger(),
    server: { host: "127.0.0.1", port: 8787 },
    format: (format) => formats.push(format),
    endpoint: (endpoint) => endpoints.push(endpoint),
  };
  plugin.setup(context as PluginContext, {});
  expect(formats).toEqual([anthropicMessages, messagesAtBedrock, messagesAtVertex, anthropicCount, countAtVertex]);
  expect(endpoints).toEqual([
    { type: "messages", method: "POST", path: "/v1/messages", operation: "chat", format: "anthropic-messages" },
    {
      type: "messagesCountTokens",
      method: "POST",
      path: "/v1/messages/count_tokens",
      operation: "count",
      format: "anthropic-count-tokens",
    },
    ...cloudEndpoints,
    ...["POST", "GET", "GET", "POST"].map((method) => expect.objectContaining({ type: "proxy", method })),
  ]);
});

/** `via`: whether a proxy that is trusted says it. */
it.each<[string, boolean, Record<string, string>, string, via?: false]>([
  ["this machine", false, { host: "127.0.0.1:8787" }, "http://127.0.0.1:8787"],
  ["a path where nobody says how another one was asked", false, { host: "gateway.example:8787" }, ""],
  ["by TLS", true, { host: "[::1]" }, "https://[::1]"],
  [
    "as a proxy that is trusted says",
    false,
    {
      host: "inside",
      "x-forwarded-host": "a.example, b",
      "x-forwarded-proto": "https",
      "x-forwarded-prefix": "/llm/",
    },
    "https://a.example/llm",
  ],
  ...["@b.example", "//b.example", "b", `${"/".repeat(15_000)}b`].map(
    (prefix): [string, boolean, Record<string, string>, string] => [
      `the host where the path in front of it is none (${prefix.slice(0, 12)})`,
      false,
      { host: "a.example", "x-forwarded-proto": "http", "x-forwarded-prefix": prefix },
      "http://a.example",
    ],
  ),
  [
    "the host where nobody is trusted who says another one",
    true,
    { host: "a.example", "x-forwarded-host": "b.example", "x-forwarded-proto": "http", "x-forwarded-prefix": "/b" },
    "https://a.example",
    false,
  ],
  ["a path where the host is none", false, { host: "a b" }, ""],
])("names the results of a batch at %s", (_, secure, headers, at, via) => {
  const corrects = batchEndpoints(secure, () => undefined)[2]?.corrects;
  const wire = { id: "msgbatch/1", results_url: "https://vendor.example/r" };
  const exchange = { headers, ...(via ?? { viaProxy: true }) } as Parameters<NonNullable<typeof corrects>>[2];
  expect(corrects?.(wire, "anthropic", exchange)).toMatchObject({
    results_url: `${at}/v1/messages/batches/msgbatch%2F1/results`,
  });
  const open = { id: "b", results_url: null };
  expect(corrects?.(open, "anthropic", exchange)).toBe(open);
});
