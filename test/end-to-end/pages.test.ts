import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";

const gatewayWith = (server: string) =>
  startTestGateway(`
server: ${server}
plugins:
  auth-keys: { keys: [{ name: a, key: key-of-a-page-that-asks }] }
  routing: { default: simulator }
  format-openai-chat: {}
providers:
  simulator: {}
`);

const page = "https://app.example";
const asked = { origin: page, "access-control-request-method": "POST" };

describe("pages of other origins (inference-api.md section 26)", () => {
  it("are told what they may ask, without a key", async () => {
    const { url } = await gatewayWith(`{ cors: { origins: [${page}/] } }`);
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "OPTIONS",
      headers: { ...asked, "access-control-request-headers": "authorization, x-gateway-config" },
    });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers": "authorization, x-gateway-config",
      vary: "origin",
    });
  });

  it.each([
    ["an answer", "key-of-a-page-that-asks", 200],
    ["a refusal", "another", 401],
  ])("may read %s and what the gateway tells of it", async (_, key, status) => {
    const { url } = await gatewayWith("{ cors: { origins: ['*'], exposed: [x-request-id] } }");
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { origin: page, authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "demo", messages: [{ role: "user", content: "Hello" }] }),
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["x-gateway-trace-id", "x-gateway-cache-status", "x-request-id"]));
  });

  it("of origins that are not listed are told nothing", async () => {
    const { url } = await gatewayWith(`{ cors: { origins: [${page}] } }`);
    const headers = { ...asked, origin: "https://other.example" };
    const answer = await fetch(`${url}/v1/chat/completions`, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("are nobody where nothing is configured", async () => {
    const { url } = await gatewayWith("{}");
    const answer = await fetch(`${url}/v1/health`, { headers: { origin: page } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("vary")).toBeNull();
  });
});
