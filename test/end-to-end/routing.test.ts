import { describe, expect, it } from "vitest";
import { anthropicClient, openAiClient } from "../support/clients.ts";
import { configFor, gatewayKey, secrets, vendorKey } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const completion = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "small-1",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "small-1",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

async function start(more = "") {
  const upstream = await startUpstream(({ url }, response) =>
    json(response, 200, url.endsWith("/messages") ? message : completion),
  );
  const gateway = await startTestGateway(configFor(upstream.url) + more, secrets);
  const sent = () => {
    const received = upstream.received.at(-1);
    if (!received) throw new Error("the upstream was not called");
    return { ...received, wire: JSON.parse(received.body.toString()) };
  };
  return { upstream, gateway, url: gateway.url, sent };
}

const messages = [{ role: "user" as const, content: "Hello?" }];

describe("where a request goes", () => {
  it.each([
    ["openai/small-1", "/v1/chat/completions"],
    ["anthropic/small-1", "/v1/messages"],
    ["@openai/small-1", "/v1/chat/completions"],
    ["@anthropic/small-1", "/v1/messages"],
  ])("is said by the model %s", async (model, path) => {
    const { url, sent } = await start();
    const request = { model, messages, max_completion_tokens: 9 };
    await openAiClient({ url, key: gatewayKey }).chat.completions.create(request);
    expect(sent()).toMatchObject({ url: path, wire: { model: "small-1" } });
    await anthropicClient({ url, key: gatewayKey }).messages.create({ model, messages, max_tokens: 9 });
    expect(sent()).toMatchObject({ url: path, wire: { model: "small-1" } });
  });

  it("keeps slashes in the rest of the model", async () => {
    const { url, sent } = await start();
    await openAiClient({ url, key: gatewayKey }).chat.completions.create({ model: "openai/org/small-1", messages });
    expect(sent().wire.model).toBe("org/small-1");
  });

  it.each([
    ["authorization", "Bearer mine-0123456789"],
    ["authorization", "mine-0123456789"],
    ["x-api-key", "mine-0123456789"],
  ])("is said by a header, and the vendor gets the caller's credential from %s: %s", async (name, value) => {
    const { url, sent } = await start();
    for (const [provider, shown] of [
      ["openai", { authorization: "Bearer mine-0123456789" }],
      ["anthropic", { "x-api-key": "mine-0123456789" }],
    ] as const) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-gateway-api-key": gatewayKey,
          "x-gateway-provider": provider,
          [name]: value,
        },
        body: JSON.stringify({ model: "small-1", messages, max_tokens: 9 }),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-gateway-provider")).toBe(provider);
      expect(sent().headers).toMatchObject(shown);
      expect(JSON.stringify(sent().headers)).not.toContain(vendorKey);
      expect(JSON.stringify(sent().headers)).not.toContain(gatewayKey);
    }
  });

  it("may be a host the caller names, which never sees the credential of the file", async () => {
    const { url, upstream } = await start();
    const own = await startUpstream((_, response) => json(response, 200, completion));
    const headers = { "x-gateway-provider": "openai", "x-gateway-custom-host": `${own.url}/v2` };
    const request = { model: "small-1", messages };
    // Without a credential for the host there is none: it may not want one.
    await openAiClient({ url, key: gatewayKey, headers }).chat.completions.create(request);
    const keyed = { ...headers, "x-gateway-api-key": gatewayKey };
    await openAiClient({ url, key: "mine-0123456789", headers: keyed }).chat.completions.create(request);
    expect(upstream.received).toEqual([]);
    expect(own.received).toMatchObject([
      { url: "/v2/chat/completions" },
      { url: "/v2/chat/completions", headers: { authorization: "Bearer mine-0123456789" } },
    ]);
    expect(JSON.stringify(own.received.map(({ headers }) => headers))).not.toMatch(/vendor-key|team-key/);
  });

  it("is never a host on this machine where none is trusted", async () => {
    const { url, upstream } = await start("server: { trustedHosts: [] }\n");
    const headers = { "x-gateway-provider": "openai", "x-gateway-custom-host": `${upstream.url}/v1` };
    const asked = openAiClient({ url, key: gatewayKey, headers }).chat.completions.create({ model: "m", messages });
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining("Invalid custom host") });
    expect(upstream.received).toEqual([]);
  });

  it("that a caller names has its streams cut where they grow too long, and the client is told", async () => {
    const { url } = await start("server: { limits: { upstreamBodyBytes: 400 } }\n");
    const frame = (content: string) =>
      `data: ${JSON.stringify({ ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
    let more = () => {};
    const own = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(frame("a"));
      more = () => response.end(frame("b".repeat(400)));
    });
    const headers = { "x-gateway-provider": "openai", "x-gateway-custom-host": `${own.url}/v1` };
    const client = openAiClient({ url, key: gatewayKey, headers });
    const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
    const read = async () => {
      for await (const { choices } of stream) if (choices[0]?.delta.content === "a") more();
    };
    await expect(read()).rejects.toThrow("Upstream response too large: more than 400 bytes.");
  });

  it.each([
    ["says how long its answer is", true],
    ["does not say it", false],
  ])("that a caller names has raw answers cut where they grow too long, and %s", async (_, says) => {
    let rest = () => {};
    const own = await startUpstream((_, response) => {
      const length = says ? { "content-length": 600 } : {};
      response.writeHead(200, { "content-type": "application/octet-stream", ...length }).write("a".repeat(300));
      rest = () => response.end("b".repeat(300));
      if (says) rest();
    });
    const { url } = await start("server: { limits: { upstreamBodyBytes: 400 } }\n");
    const headers = { "x-gateway-provider": "openai", "x-gateway-custom-host": `${own.url}/v1` };
    const answer = await fetch(`${url}/v1/proxy/some/where`, {
      headers: { ...headers, authorization: `Bearer ${gatewayKey}` },
    });
    if (says) {
      expect([answer.status, await answer.text()]).toEqual([
        502,
        expect.stringContaining("Upstream response too large"),
      ]);
      return;
    }
    expect(answer.status).toBe(200);
    const read = answer.text();
    rest();
    await expect(read).rejects.toThrow();
  });

  it("is not the vendor's own where the header that names one is empty", async () => {
    const { url, upstream } = await start();
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gateway-api-key": gatewayKey,
        "x-gateway-provider": "openai",
        "x-gateway-custom-host": " ",
      },
      body: JSON.stringify({ model: "m", messages }),
    });
    expect([response.status, await response.json()]).toMatchObject([400, { message: "Invalid custom host" }]);
    expect(upstream.received).toEqual([]);
  });

  it("may be said under another prefix, and is answered under both", async () => {
    const { url, sent } = await start("server: { headers: { aliases: [x-portal-] } }\n");
    const { response } = await openAiClient({
      url,
      key: "mine-0123456789",
      headers: { "x-portal-api-key": gatewayKey, "x-portal-provider": "openai", "x-portal-trace-id": "t-1" },
    })
      .chat.completions.create({ model: "small-1", messages })
      .withResponse();
    expect(sent().headers.authorization).toBe("Bearer mine-0123456789");
    expect(Object.keys(sent().headers).filter((name) => /^x-(portal|gateway)-/.test(name))).toEqual([]);
    expect(response.headers.get("x-gateway-trace-id")).toBe("t-1");
    expect(response.headers.get("x-portal-trace-id")).toBe("t-1");
    expect(response.headers.get("x-portal-provider")).toBe("openai");
  });

  it("is found with a doubled version prefix", async () => {
    const { url, sent } = await start();
    await openAiClient({ url: `${url}/v1`, key: gatewayKey }).chat.completions.create({ model: "openai/m", messages });
    expect(sent().url).toBe("/v1/chat/completions");
    await anthropicClient({ url: `${url}/v1`, key: gatewayKey }).messages.create({
      model: "anthropic/m",
      messages,
      max_tokens: 9,
    });
    expect(sent().url).toBe("/v1/messages");
  });
});

describe("headers a client asks to have forwarded", () => {
  const post = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ model: "small-1", messages, max_tokens: 9 }),
    });

  it.each(["@openai", "@anthropic"])(
    "reach %s, but never in place of its credential or beside it",
    async (provider) => {
      const { url, sent } = await start();
      const mine = { authorization: "Bearer mine", "x-api-key": "mine", "api-key": "mine", "x-mine": "yes" };
      const names = "x-mine, Authorization, x-api-key, api-key";
      const asked = { ...mine, "x-gateway-provider": provider, "x-gateway-forward-headers": names };
      expect((await post(url, { ...asked, "x-gateway-api-key": gatewayKey })).status).toBe(200);
      const { headers } = sent();
      expect(headers["x-mine"]).toBe("yes");
      expect(JSON.stringify(headers)).toContain(vendorKey);
      expect(Object.values(headers)).not.toContain("mine");
      expect(Object.values(headers)).not.toContain("Bearer mine");
    },
  );

  it("never carry the client's credential for the gateway", async () => {
    const { url, sent, upstream } = await start();
    const forwarding = configFor(upstream.url).replace(
      "openai: {",
      "openai: { forwardHeaders: [authorization, x-api-key],",
    );
    const second = await startTestGateway(
      forwarding.replace('apiKey: "${VENDOR_KEY}", ', "headers: { x-own: key }, "),
      secrets,
    );
    for (const base of [url, second.url]) {
      const asked = { "x-gateway-provider": "@openai", "x-gateway-forward-headers": "authorization,x-api-key" };
      for (const carried of [{ authorization: `Bearer ${gatewayKey}` }, { "x-api-key": gatewayKey }]) {
        expect((await post(base, { ...asked, ...carried })).status).toBe(200);
        expect(JSON.stringify(sent().headers)).not.toContain(gatewayKey);
      }
    }
  });

  it("are refused when they name themselves", async () => {
    const { url } = await start();
    const headers = { authorization: gatewayKey, "x-gateway-provider": "@openai" };
    const response = await post(url, { ...headers, "x-gateway-forward-headers": "x-gateway-forward-headers" });
    expect(response.status).toBe(400);
  });
});

describe("what a translation loses", () => {
  it("is named in a header, whatever characters the client's names are made of", async () => {
    const { url } = await start();
    const lost = { "ключ\r\nx-evil: 1": 1, seed: 7, "a,b": 2, "\ud800": 3 };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: gatewayKey, "x-gateway-provider": "@anthropic" },
      body: JSON.stringify({ model: "small-1", messages, max_tokens: 9, ...lost }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-gateway-dropped-params")).toContain("seed");
    expect(response.headers.get("x-evil")).toBeNull();
  });
});
