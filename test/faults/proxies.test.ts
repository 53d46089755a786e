import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { authority, stranger } from "../support/certificates.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { type ProxyInput, startProxy } from "../support/proxy.ts";
import { type Answering, json, startSecureUpstream, startUpstream } from "../support/upstream.ts";

const password = "hidden-password-0123456789";
const withPassword = (url: string) => url.replace("://", `://user:${password}@`);

const whole: Answering = (_, response) =>
  json(response, 200, {
    id: "x",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  });
const frame = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
const begun: Answering = (_, response) =>
  void response.writeHead(200, { "content-type": "text/event-stream" }).write(frame("one"));
const stream: Answering = (request, response, incoming) => {
  begun(request, response, incoming);
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
  response.end(`${frame("two")}${finish}data: [DONE]\n\n`);
};

/** A gateway behind a proxy, which calls `vendor` through it and `spare` past it. */
function startBehind(
  proxy: string,
  vendor: string,
  { spare = vendor, variables = {} }: { readonly spare?: string; readonly variables?: Record<string, string> } = {},
): Promise<TestGateway> {
  const config = {
    plugins: { "auth-open": {}, routing: {}, "strategy-fallback": {}, "format-openai-chat": {} },
    providers: {
      vendor: { use: "openai", apiKey: "k", baseUrl: `${vendor}/v1` },
      spare: { use: "openai", apiKey: "k", baseUrl: `${spare}/v1` },
    },
  };
  return startTestGateway(JSON.stringify(config), {
    HTTPS_PROXY: withPassword(proxy),
    HTTP_PROXY: withPassword(proxy),
    TLS_CA: authority,
    ...(spare !== vendor && { NO_PROXY: new URL(spare).host }),
    ...variables,
  });
}

const ask = (gateway: TestGateway, headers: Record<string, string> = {}, more: object = {}, signal?: AbortSignal) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-gateway-provider": "@vendor", ...headers },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], ...more }),
    ...(signal && { signal }),
  });

describe.each([
  ["over TLS", startSecureUpstream],
  ["in plain HTTP", startUpstream],
])("a vendor behind a proxy, %s", (_, startVendor) => {
  it("is asked, and answers in one piece or as a stream", async () => {
    const proxy = await startProxy();
    const vendor = await startVendor((request, response, incoming) => {
      const { stream: asked } = JSON.parse(request.body.toString());
      (asked ? stream : whole)(request, response, incoming);
    });
    const gateway = await startBehind(proxy.url, vendor.url);
    expect(await (await ask(gateway)).json()).toMatchObject({ choices: [{ message: { content: "Hello" } }] });
    const streamed = await (await ask(gateway, {}, { stream: true })).text();
    expect(streamed).toContain("two");
    expect(streamed).toContain("[DONE]");
    expect(vendor.received.map(({ url }) => url)).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
    expect(JSON.stringify(vendor.received)).not.toContain("proxy-");
    expect(proxy.asked.length).toBeGreaterThan(0);
  });

  it("is left together with the proxy when the client leaves", async () => {
    const proxy = await startProxy();
    const vendor = await startVendor(begun);
    const gateway = await startBehind(proxy.url, vendor.url);
    const leaving = new AbortController();
    const answer = await ask(gateway, {}, { stream: true }, leaving.signal);
    await answer.body?.getReader().read();
    expect(proxy.open.size).toBe(1);
    leaving.abort();
    await proxy.left();
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });

  it.each<[string, Answering, Record<string, string>, boolean]>([
    ["headers", () => undefined, { "x-gateway-headers-timeout": "60" }, false],
    ["total", () => undefined, { "x-gateway-request-timeout": "60" }, false],
    [
      "first token",
      (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders(),
      { "x-gateway-first-token-timeout": "60" },
      true,
    ],
  ])("is given up by the clock of %s", async (_, answering, headers, streaming) => {
    const proxy = await startProxy();
    const vendor = await startVendor(answering);
    const gateway = await startBehind(proxy.url, vendor.url);
    const answer = await ask(gateway, headers, { stream: streaming });
    expect(answer.status).toBe(408);
    await proxy.left();
  });

  it("is given up by the clock of silence", async () => {
    const proxy = await startProxy();
    const vendor = await startVendor(begun);
    const gateway = await startBehind(proxy.url, vendor.url);
    const answer = await ask(gateway, { "x-gateway-idle-timeout": "60" }, { stream: true });
    const text = await answer.text();
    expect(text).toContain("Upstream was silent for 60 ms.");
    expect(text).not.toContain("[DONE]");
    await proxy.left();
  });
});

describe("a proxy that does not pass a call on", () => {
  const fallback = {
    "x-gateway-config": JSON.stringify({
      strategy: { mode: "fallback" },
      targets: [{ provider: "@vendor" }, { provider: "@spare" }],
    }),
  };
  const refusing = async (input: ProxyInput) => (await startProxy(input)).url;

  it.each<[string, () => Promise<string>, RegExp]>([
    ["asks for credentials", () => refusing({ refuses: 407 }), /^The proxy \S+ refused the connection with 407;/],
    ["forbids the host", () => refusing({ refuses: 403 }), /^The proxy \S+ refused the connection with 403\.$/],
    ["does not reach the host", () => refusing({ refuses: 502 }), /^The proxy \S+ refused the connection with 502\.$/],
    [
      "is not there",
      async () => "http://127.0.0.1:1",
      /^The proxy 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\.$/,
    ],
  ])("%s: that is a connection error, and the next target is asked", async (_, proxied, message) => {
    const spare = await startUpstream(whole);
    const gateway = await startBehind(await proxied(), "https://vendor.test.invalid", { spare: spare.url });
    const refused = await ask(gateway);
    expect(refused.status).toBe(503);
    const { error } = (await refused.json()) as { error: { message: string; type: string } };
    expect(error).toMatchObject({ type: "upstream_connection_error", message: expect.stringMatching(message) });
    const next = await ask(gateway, fallback);
    expect(next.status).toBe(200);
    expect(spare.received).toHaveLength(1);
    const told = JSON.stringify([error, gateway.log.lines]);
    for (const hidden of [password, Buffer.from(`user:${password}`).toString("base64")])
      expect(told).not.toContain(hidden);
  });

  it.each(["http", "https"])("is given up by the connect clock while it is silent (%s)", async (scheme) => {
    const proxy = await startProxy({ refuses: "silent" });
    const gateway = await startBehind(proxy.url, `${scheme}://127.0.0.1:1`);
    // Plain HTTP has its connection once the proxy is there: what it does not answer then is the answer.
    const clock = scheme === "https" ? "connect" : "headers";
    const answer = await ask(gateway, { [`x-gateway-${clock}-timeout`]: "60" });
    expect(answer.status).toBe(scheme === "https" ? 503 : 408);
    expect(await answer.text()).toMatch(
      /(vendor \(127\.0\.0\.1:1\) did not accept a connection|Upstream did not answer) within 60 ms/,
    );
  });
});

describe.each([{ secure: false }, { secure: true }])("a proxy that goes away, spoken to over TLS: $secure", (input) => {
  it.each([
    ["over TLS", startSecureUpstream],
    ["in plain HTTP", startUpstream],
  ])("ends the stream that passes, %s, with an error and no terminator", async (_, startVendor) => {
    const proxy = await startProxy(input);
    const vendor = await startVendor(begun);
    const gateway = await startBehind(proxy.url, vendor.url);
    const answer = await ask(gateway, {}, { stream: true });
    for (const socket of proxy.open) (socket as Socket).resetAndDestroy();
    const text = await answer.text();
    expect(text).toContain('"type":"upstream_connection_error"');
    expect(text).not.toContain("[DONE]");
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

describe("an authority that nobody knows", () => {
  it.each([
    ["is believed where TLS_CA names it", authority, 200],
    ["is not believed where TLS_CA names another", stranger, 500],
    ["is not believed without TLS_CA", "", 500],
  ])("%s", async (_, file, status) => {
    const vendor = await startSecureUpstream(whole);
    const proxy = await startProxy();
    const variables = { TLS_CA: file };
    const behind = await startBehind(proxy.url, vendor.url, { variables });
    const direct = await startBehind(proxy.url, vendor.url, { variables: { ...variables, NO_PROXY: "*" } });
    for (const gateway of [behind, direct]) expect((await ask(gateway)).status).toBe(status);
    expect(proxy.asked).toHaveLength(1);
  });
});
