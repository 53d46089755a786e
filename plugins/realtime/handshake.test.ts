import { connect as connectTcp } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { connect, converse, dial, raw, refusal, somebody, startRealtime, startVendor } from "./testing.ts";

describe("a handshake", () => {
  it("goes to the provider in front of the model, with everything else of the query", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const { client, server } = await converse(gateway, vendor, { query: "model=@oai/gpt-realtime&intent=x%20y&n=1" });
    expect(server.url).toBe("/v1/realtime?model=gpt-realtime&intent=x+y&n=1");
    expect(server.headers).toMatchObject({ authorization: "Bearer sk-of-the-vendor", "keep-alive": "timeout=600" });
    expect(JSON.stringify(server.headers)).not.toContain("principal");
    expect(client.headers).toMatchObject({ "x-gateway-provider": "openai", "x-gateway-trace-id": expect.any(String) });
    expect(client.socket.protocol).toBe("");
  });

  it.each<[string, Record<string, string>]>([
    ["a header", { "x-gateway-provider": "oai" }],
    ["a header that names a kept one", { "x-gateway-provider": "@oai" }],
    ["a virtual key", { "x-gateway-virtual-key": "oai" }],
    ["a saved config", { "x-gateway-config": "saved" }],
    ["a config", { "x-gateway-config": JSON.stringify({ provider: "@oai", override_params: { model: "gpt-x" } }) }],
  ])("goes to the provider that %s names", async (_, headers) => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const { server } = await converse(gateway, vendor, {
      query: "model=gpt-realtime",
      headers: { ...somebody, ...headers, "x-gateway-openai-beta": "realtime=v1" },
    });
    const model = headers["x-gateway-config"]?.includes("gpt-x") ? "gpt-x" : "gpt-realtime";
    expect(server.url).toBe(`/v1/realtime?model=${model}`);
    expect(server.headers["openai-beta"]).toBe("realtime=v1");
  });

  it("passes on the vendor's own header, and those that are asked for", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const headers = { "openai-beta": "realtime=v1", "x-mine": "yes", "x-other": "no" };
    const { server } = await converse(gateway, vendor, {
      headers: { ...somebody, ...headers, "x-gateway-forward-headers": "x-mine" },
    });
    expect(server.headers).toMatchObject({ "openai-beta": "realtime=v1", "x-mine": "yes" });
    expect(server.headers).not.toHaveProperty("x-other");
  });

  it("goes to a host the caller brings, with the caller's key and not the operator's", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime({ url: "http://127.0.0.1:9/v1" });
    const { server } = await converse(gateway, vendor, {
      query: "model=m",
      headers: {
        ...somebody,
        "x-gateway-provider": "openai",
        "x-gateway-custom-host": vendor.url,
        authorization: "Bearer sk-of-the-caller",
      },
    });
    expect(server.headers.authorization).toBe("Bearer sk-of-the-caller");
  });

  it("does not go to a host that may not be called", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, {}, { variables: { TRUSTED_CUSTOM_HOSTS: "trusted.example" } });
    const headers = { ...somebody, "x-gateway-provider": "openai", "x-gateway-custom-host": vendor.url };
    const { status } = await refusal(gateway, { query: "model=m", headers });
    expect(status).toBe(400);
    expect(vendor.asked).toEqual([]);
  });

  it("goes to the first leaf of a config that can be called, once", async () => {
    const refusing = await startVendor((_, socket) => {
      socket.end("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
      return true;
    });
    const vendor = await startVendor();
    const gateway = await startRealtime(
      refusing,
      {},
      { providers: { spare: { use: "openai", apiKey: "k", baseUrl: vendor.url } } },
    );
    const config = (...providers: string[]) => ({
      ...somebody,
      "x-gateway-config": JSON.stringify({
        strategy: { mode: "fallback" },
        targets: providers.map((provider) => ({ provider })),
      }),
    });
    const { server } = await converse(gateway, vendor, { query: "model=m", headers: config("@nobody", "@spare") });
    expect(server.url).toBe("/v1/realtime?model=m");
    expect(await refusal(gateway, { query: "model=m", headers: config("@oai", "@spare") })).toMatchObject({
      status: 500,
    });
    expect(refusing.asked).toHaveLength(1);
    expect(vendor.asked).toHaveLength(1);
  });
});

describe("a handshake is refused like any request", () => {
  it.each<[string, number, object, Parameters<typeof dial>[1]]>([
    ["where nobody is let in", 401, { error: { code: "invalid_api_key" } }, { headers: {} }],
    [
      "where the provider has no sockets",
      400,
      { status: "failure", message: "realtime is not supported by anthropic." },
      { query: "model=@claude/m" },
    ],
    ["where there is no provider", 400, { status: "failure" }, { query: "model=m" }],
    [
      "where the config is none",
      400,
      { status: "failure" },
      { headers: { ...somebody, "x-gateway-config": '{"strategy":{"mode":"nonsense"},"targets":[]}' } },
    ],
    [
      "where it asks for nitro mode",
      400,
      { status: "failure", error: { param: "nitro-mode" } },
      { headers: { ...somebody, "x-gateway-nitro-mode": "true" } },
    ],
    [
      "where a scope is missing",
      403,
      { success: false },
      { headers: { "x-test-principal": JSON.stringify({ id: "K", scopes: ["logs.list"] }) } },
    ],
  ])("%s", async (_, status, body, dialled) => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const refused = await refusal(gateway, dialled);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.text)).toMatchObject(body);
    expect(vendor.asked).toEqual([]);
  });

  it("where it is no handshake", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const asked = await fetch(`${gateway.url}/v1/realtime?model=@oai/m`, { headers: somebody });
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining("is a websocket")]);
    const text = await raw(gateway.port, "GET", "/v1/realtime?model=@oai/m", {
      ...somebody,
      upgrade: "websocket",
      connection: "upgrade",
    });
    expect(text).toMatch(/^HTTP\/1.1 400 [\s\S]*no handshake/);
    expect(vendor.asked).toEqual([]);
  });
});

describe("where the provider's socket does not open the client gets 500", () => {
  it.each<[string, Parameters<typeof startVendor>[0]]>([
    ["since it is refused", (_, socket) => !!socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")],
    [
      "since it is elsewhere",
      (_, socket) => !!socket.end("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n"),
    ],
    ["since the connection breaks", (_, socket) => !!socket.destroy()],
    ["since nothing comes", () => true],
  ])("%s", async (_, handle) => {
    const vendor = await startVendor(handle);
    const gateway = await startRealtime(vendor, { realtime: { openTimeout: 300 } });
    const { status, text } = await refusal(gateway);
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ status: "failure", message: "Something went wrong" });
    expect(gateway.log.lines).toContainEqual(expect.objectContaining({ message: "no connection to the upstream" }));
  });

  it("since nobody is there", async () => {
    const gateway = await startRealtime({ url: "http://127.0.0.1:9/v1" });
    expect((await refusal(gateway)).status).toBe(500);
  });
});

it("answers the client only when the provider's socket is open, and keeps what it sends before", async () => {
  let go: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    go = resolve;
  });
  let open: (() => void) | undefined;
  const later = await startVendor();
  const vendor = await startVendor((request, socket) => {
    go?.();
    const onward = connectTcp(later.port, "127.0.0.1");
    // The ends are cut off when the test is over.
    onward.on("error", () => undefined);
    open = () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      onward.write(`GET ${request.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
      socket.pipe(onward).pipe(socket);
    };
    return true;
  });
  const gateway = await startRealtime(vendor);
  const socket = connectTcp(gateway.port, "127.0.0.1");
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece));
  socket.write(
    `GET /v1/realtime?model=@oai/m HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nx-test-principal: {"id":"K1"}\r\n\r\n`,
  );
  await asked;
  // Two frames whose mask is nothing: "one" and "two".
  for (const text of ["one", "two"])
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
  expect(pieces).toEqual([]);
  open?.();
  const server = await later.next();
  expect([await server.next(), await server.next()]).toEqual(["one", "two"]);
  expect(Buffer.concat(pieces).toString("latin1")).toMatch(/^HTTP\/1.1 101 /);
  socket.destroy();
});

it("gives the provider's socket up where the client does not wait", async () => {
  const vendor = await startVendor(() => true);
  const gateway = await startRealtime(vendor);
  const socket = dial(gateway);
  socket.on("error", () => undefined);
  while (vendor.asked.length === 0) await new Promise(setImmediate);
  const gone = new Promise((resolve) => vendor.asked[0]?.socket.once("end", resolve));
  vendor.asked[0]?.socket.resume();
  socket.terminate();
  await gone;
  expect(socket.readyState).not.toBe(WebSocket.OPEN);
});

it("is refused where a rate is used up, and counts as a request", async () => {
  const vendor = await startVendor();
  const gateway = await startRealtime(vendor, { "counters-memory": {}, "rate-limits": {} });
  const limits = {
    level: "api_key",
    id: "K1",
    subject: "K1",
    usage: [],
    rate: [{ type: "requests", unit: "rpm", value: 1 }],
  };
  const headers = { "x-test-principal": JSON.stringify({ id: "K1", limits }) };
  const client = await connect(gateway, { headers });
  const refused = await refusal(gateway, { headers });
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, expect.any(String)]);
  client.socket.close();
});
