import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets, vendorKey } from "./support/deployment.ts";
import { startTestGateway } from "./support/gateway.ts";
import { call, startRaw } from "./support/raw-call.ts";
import { deferred, startRawUpstream } from "./support/raw-upstream.ts";

const paths = ["/v1/proxy/some/where", "/v1/some/where", "/v1/v1/some/where"];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

describe.each(paths)("a raw call of %s", (path) => {
  it.each(methods)("arrives as %s, with its query and its status", async (method) => {
    const { upstream, url } = await startRaw((_, response) => {
      response.writeHead(203, { "x-vendor": "yes" });
      response.end("answer");
    });
    const query = "?a=1&b=%2F%20x&a=2&=&%C3%BC";
    const answered = await call(url + path + query, { method });
    expect(upstream.received).toMatchObject([{ method, url: `/v1/some/where${query}` }]);
    expect(answered.status).toBe(203);
    expect(answered.headers).toMatchObject({ "x-vendor": "yes", "x-gateway-provider": "openai" });
    expect(answered.body.toString()).toBe(method === "HEAD" ? "" : "answer");
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("brings the body of %s, announced or in chunks", async (method) => {
    const { upstream, url } = await startRaw();
    const body = '{ "b": 1.0,\n"a":"\\u00fc" }';
    const headers = { "content-type": "application/json" };
    await call(url + path, { method, headers: { ...headers, "content-length": Buffer.byteLength(body) } }, body);
    await call(url + path, { method, headers: { ...headers, "transfer-encoding": "chunked" } }, body);
    await call(url + path, { method, headers: { "transfer-encoding": "chunked" } }, body);
    expect(upstream.received.map((received) => received.body.toString())).toEqual([body, body, body]);
  });

  it.each(["POST", "PUT", "DELETE"])("sends no body with %s when the client sent none", async (method) => {
    const { upstream, url } = await startRaw();
    await call(url + path, { method });
    const type = { "content-type": "application/json" };
    await call(url + path, { method, headers: { ...type, "content-length": 0 } });
    await call(url + path, { method, headers: { ...type, "transfer-encoding": "chunked" } });
    for (const { body, headers } of upstream.received) {
      expect(body).toHaveLength(0);
      expect(headers["content-length"] ?? "0").toBe("0");
      expect(headers["transfer-encoding"]).toBeUndefined();
    }
  });
});

describe("the body of a raw call", () => {
  const boundary = "----boundary0123";
  const form = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`),
    randomBytes(200_000),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const sound = randomBytes(3 * 1024 * 1024);

  it.each([
    ["a form", `multipart/form-data; boundary=${boundary}`, form],
    ["a sound", "audio/wav", sound],
  ])("is %s, byte for byte, with the length the client announced or with none", async (_, type, bytes) => {
    const { upstream, url } = await startRaw();
    const headers = { "content-type": type };
    await call(`${url}/v1/audio/x`, { method: "POST", headers: { ...headers, "content-length": bytes.length } }, bytes);
    await call(`${url}/v1/audio/x`, { method: "POST", headers: { ...headers, "transfer-encoding": "chunked" } }, bytes);
    expect(upstream.received).toHaveLength(2);
    for (const received of upstream.received) {
      expect(received.body.equals(bytes)).toBe(true);
      expect(received.headers["content-type"]).toBe(type);
    }
    expect(upstream.received[0]?.headers["content-length"]).toBe(String(bytes.length));
  });

  it("is streamed: the vendor has the first bytes before the client has sent the last", async () => {
    const first = deferred<void>();
    const whole = deferred<Buffer>();
    const vendor = await startRawUpstream((incoming, response) => {
      const pieces: Buffer[] = [];
      incoming.on("data", (bytes: Buffer) => {
        pieces.push(bytes);
        first.resolve();
      });
      incoming.on("end", () => {
        whole.resolve(Buffer.concat(pieces));
        response.end("heard");
      });
    });
    const gateway = await startTestGateway(configFor(vendor), secrets);
    const answered = deferred<number | undefined>();
    const headers = { "x-gateway-provider": "@openai", authorization: gatewayKey, "content-type": "audio/wav" };
    const upload = request(`${gateway.url}/v1/audio/x`, { method: "POST", headers }, (response) => {
      response.resume();
      answered.resolve(response.statusCode);
    });
    upload.write(sound.subarray(0, 1000));
    await first.promise;
    upload.end(sound.subarray(1000));
    expect((await whole.promise).equals(sound)).toBe(true);
    expect(await answered.promise).toBe(200);
  });

  it("may be answered before it has arrived", async () => {
    const vendor = await startRawUpstream((incoming, response) => {
      incoming.once("data", () => response.writeHead(413, { "content-type": "application/json" }).end("{}"));
    });
    const gateway = await startTestGateway(configFor(vendor), secrets);
    const answered = deferred<number | undefined>();
    const headers = { "x-gateway-provider": "@openai", authorization: gatewayKey, "content-type": "audio/wav" };
    const upload = request(`${gateway.url}/v1/audio/x`, { method: "POST", headers }, (response) => {
      response.resume();
      answered.resolve(response.statusCode);
    });
    upload.on("error", () => undefined);
    upload.write(sound.subarray(0, 1000));
    expect(await answered.promise).toBe(413);
    upload.destroy();
  });

  it("is refused when it is of a kind nobody takes", async () => {
    const { upstream, url } = await startRaw();
    const { status } = await call(`${url}/v1/x`, { method: "POST", headers: { "content-type": "text/html" } }, "<p>");
    expect(status).toBe(400);
    expect(upstream.received).toEqual([]);
  });

  it("is refused when it is larger than allowed, announced or not", async () => {
    const { url } = await startRaw(undefined, "server: { limits: { uploadBodyBytes: 1000 } }\n");
    const headers = { "content-type": "audio/wav" };
    const large = Buffer.alloc(2000);
    const announced = { ...headers, "content-length": 2000 };
    expect(await call(`${url}/v1/x`, { method: "POST", headers: announced }, large)).toMatchObject({ status: 413 });
    const chunked = { ...headers, "transfer-encoding": "chunked" };
    expect(await call(`${url}/v1/x`, { method: "POST", headers: chunked }, large)).toMatchObject({ status: 413 });
  });

  it("loses the provider in front of its model, and nothing else", async () => {
    const { upstream, url } = await startRaw();
    const body = (model: string) => `{ "input": [1.0], "model":"${model}"  }`;
    const headers = { "content-type": "application/json", "x-gateway-provider": "" };
    await call(`${url}/v1/moderations`, { method: "POST", headers }, body("@openai/m/1"));
    expect(upstream.received[0]?.body.toString()).toBe(body("m/1"));
  });
});

describe("the headers of a raw call", () => {
  it.each([["x-gateway-api-key"], ["authorization"], ["x-api-key"]])(
    "bring the vendor's credential and not the gateway's, which came in %s",
    async (carrier) => {
      const { upstream, url } = await startRaw();
      const carried = carrier === "authorization" ? `Bearer ${gatewayKey}` : gatewayKey;
      for (const provider of ["@openai", "@anthropic"]) {
        const headers = { "x-gateway-provider": provider, [carrier]: carried, accept: "x/y", "x-mine": "1" };
        await new Promise((resolve) => request(`${url}/v1/x`, { headers }, resolve).end());
      }
      expect(upstream.received).toHaveLength(2);
      for (const { headers } of upstream.received) {
        expect(JSON.stringify(headers)).not.toContain(gatewayKey);
        expect(Object.keys(headers).filter((name) => name.startsWith("x-gateway-"))).toEqual([]);
        expect(headers).toMatchObject({ accept: "x/y", "x-mine": "1" });
      }
      expect(upstream.received[0]?.headers.authorization).toBe(`Bearer ${vendorKey}`);
      expect(upstream.received[1]?.headers["x-api-key"]).toBe(vendorKey);
    },
  );

  it("of the client never replace the vendor's credential, nor stand beside it", async () => {
    const { upstream, url } = await startRaw();
    const mine = { authorization: "Bearer mine", "x-api-key": "mine", "api-key": "mine" };
    await call(`${url}/v1/x`, { headers: { ...mine, "x-gateway-api-key": gatewayKey } });
    const { headers } = upstream.received[0] ?? {};
    expect(headers?.authorization).toBe(`Bearer ${vendorKey}`);
    expect(JSON.stringify(headers)).not.toContain("mine");
  });

  it("leave out those of the connection, those it names, and the client's address", async () => {
    const { upstream, url } = await startRaw();
    const own = {
      connection: "close, x-hop",
      "x-hop": "1",
      te: "trailers",
      cookie: "a=b",
      "x-forwarded-for": "1.2.3.4",
    };
    await call(`${url}/v1/x`, { headers: { ...own, "x-kept": "1" } });
    const { headers = {} } = upstream.received[0] ?? {};
    expect(headers).not.toHaveProperty("x-hop");
    expect(headers).not.toHaveProperty("te");
    expect(headers).not.toHaveProperty("cookie");
    expect(headers).not.toHaveProperty("x-forwarded-for");
    expect(headers["x-kept"]).toBe("1");
    expect(headers.host).toBe(new URL(upstream.url).host);
  });
});
