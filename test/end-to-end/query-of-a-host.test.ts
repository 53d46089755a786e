import { describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const messages = [{ role: "user" as const, content: "Hello?" }];

async function start(providers = (_host: string) => "") {
  const own = await startUpstream((_, response) => json(response, 200, {}));
  const { url } = await startTestGateway(configFor("http://127.0.0.1:9") + providers(own.url), secrets);
  const sent = async (path: string, headers: Record<string, string>) => {
    await fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gateway-api-key": gatewayKey,
        authorization: "Bearer mine-0123456789",
        ...headers,
      },
      body: JSON.stringify({ model: "m", messages, max_tokens: 9 }),
    });
    return own.received.at(-1)?.url;
  };
  return { own, sent };
}

/** As people write hosts of Azure. */
const written = "/openai/deployments/d?api-version=2024-10-21&t=a%20b";

describe("the query of a host", () => {
  it.each<[string, (host: string) => Record<string, string>]>([
    ["a header", (host) => ({ "x-gateway-provider": "openai", "x-gateway-custom-host": host })],
    [
      "a config",
      (host) => ({ "x-gateway-config": JSON.stringify({ provider: "openai", api_key: "k", custom_host: host }) }),
    ],
  ])("of %s stays behind the path of a call, and that of the call in front of it", async (_, headersFor) => {
    const { own, sent } = await start();
    const headers = headersFor(own.url + written);
    expect(await sent("/v1/chat/completions", headers)).toBe(
      "/openai/deployments/d/chat/completions?api-version=2024-10-21&t=a%20b",
    );
    expect(await sent("/v1/proxy/things?n=1", headers)).toBe(
      "/openai/deployments/d/things?n=1&api-version=2024-10-21&t=a%20b",
    );
    // What a client says of a call counts for it.
    expect(await sent("/v1/proxy/things?api-version=2025-01-01", headers)).toBe(
      "/openai/deployments/d/things?api-version=2025-01-01&t=a%20b",
    );
  });

  it("needs no path in front of it, nor a slash at its end", async () => {
    const { own, sent } = await start();
    const at = (host: string) =>
      sent("/v1/chat/completions", { "x-gateway-provider": "openai", "x-gateway-custom-host": own.url + host });
    expect(await at("?a=/b")).toBe("/chat/completions?a=/b");
    expect(await at("/v1/?a=b")).toBe("/v1/chat/completions?a=b");
  });

  it("stays where a vendor has an API beside the path of its base URL", async () => {
    const { sent } = await start(
      (host) => `  mantle: { use: bedrock-mantle, region: eu-west-1, apiKey: k, baseUrl: "${host}/v1?a=b" }\n`,
    );
    const headers = { "x-gateway-provider": "mantle", authorization: `Bearer ${gatewayKey}` };
    expect(await sent("/v1/proxy/things", headers)).toBe("/v1/things?a=b");
    expect(await sent("/v1/proxy/anthropic/v1/things?n=1", headers)).toBe("/anthropic/v1/things?n=1&a=b");
  });
});
