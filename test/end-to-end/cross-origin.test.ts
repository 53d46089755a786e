import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const started = (cors?: object) =>
  startTestGateway(
    JSON.stringify({
      server: { ...(cors && { cors }) },
      plugins: {
        "auth-keys": { keys: [{ name: "a", key: "key-of-team-a-0123" }] },
        routing: { default: "simulator" },
        "format-openai-chat": {},
      },
      providers: { simulator: {} },
    }),
  );
const preflight = { origin: "https://app.example", "access-control-request-method": "POST" };
const said = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));

describe("pages of other origins", () => {
  it("are told nothing where none was named, and preflights are answered", async () => {
    const { url } = await started();
    for (const path of ["/v1/chat/completions", "/v1/configs"]) {
      const asked = await fetch(url + path, { method: "OPTIONS", headers: preflight });
      expect({ status: asked.status, said: said(asked) }).toEqual({ status: 204, said: {} });
    }
    const answered = await fetch(`${url}/v1/models`, { headers: { origin: preflight.origin } });
    expect(said(answered)).toEqual({});
  });

  it("may call and read what they are meant to, without a key for the question", async () => {
    const { url } = await started({ origins: ["https://app.example"] });
    const asked = await fetch(`${url}/v1/chat/completions`, {
      method: "OPTIONS",
      headers: { ...preflight, "access-control-request-headers": "authorization,x-gateway-config" },
    });
    expect({ status: asked.status, said: said(asked) }).toEqual({
      status: 204,
      said: {
        vary: "origin",
        "access-control-allow-origin": "https://app.example",
        "access-control-allow-methods": "GET,POST,PUT,PATCH,DELETE,OPTIONS",
        "access-control-allow-headers": "authorization,x-gateway-config",
        "access-control-max-age": "600",
      },
    });
    const call = (stream: boolean, origin: string, key = "key-of-team-a-0123") =>
      fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { origin, authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "demo", stream, messages: [{ role: "user", content: "Hello" }] }),
      });
    const exposed =
      "x-gateway-trace-id,x-gateway-cache-status,x-gateway-retry-attempt-count,x-gateway-last-used-option-index,x-gateway-provider";
    for (const [stream, key, status] of [
      [false, "key-of-team-a-0123", 200],
      [true, "key-of-team-a-0123", 200],
      [false, "nobody", 401],
    ] as const) {
      const answered = await call(stream, "https://app.example", key);
      expect(answered.status).toBe(status);
      expect(said(answered)).toEqual({
        vary: "origin",
        "access-control-allow-origin": "https://app.example",
        "access-control-expose-headers": exposed,
      });
      await answered.text();
    }
    const other = await call(false, "https://evil.example");
    expect(said(other)).toEqual({ vary: "origin" });
    await other.text();
  });

  it("may see whether the gateway is well, whatever stands behind their origin in the list", async () => {
    const { url } = await started({ origins: ["https://app.example/"] });
    const answered = await fetch(`${url}/v1/health`, { headers: { origin: "https://app.example" } });
    expect(said(answered)).toMatchObject({ "access-control-allow-origin": "https://app.example" });
  });

  it("are told what else an answer depends on, as the vendor says it", async () => {
    const upstream = await startUpstream((_, response) => json(response, 200, {}, { vary: "accept-encoding" }));
    const { url } = await startTestGateway(
      JSON.stringify({
        server: { cors: { origins: ["https://app.example"] } },
        plugins: {
          "auth-keys": { keys: [{ name: "a", key: "key-of-team-a-0123" }] },
          routing: { default: "openai" },
          proxy: {},
        },
        providers: { openai: { apiKey: "vendor-key-0123", baseUrl: upstream.url } },
      }),
    );
    const authorization = "Bearer key-of-team-a-0123";
    const answered = await fetch(`${url}/v1/proxy/tools`, {
      headers: { authorization, origin: "https://app.example" },
    });
    expect(answered.headers.get("vary")).toBe("origin, accept-encoding");
    const plain = await fetch(`${url}/v1/proxy/tools`, { headers: { authorization } });
    // Of an answer that was kept, nobody knows any more who asked for it.
    expect(plain.headers.get("vary")).toBe("origin, accept-encoding");
  });

  it("may be all of them", async () => {
    const { url } = await started({ origins: ["*"], headers: ["authorization"], methods: ["GET"] });
    const asked = await fetch(`${url}/v1/models`, { method: "OPTIONS", headers: preflight });
    expect(said(asked)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "authorization",
      "access-control-max-age": "600",
    });
  });
});
