import { describe, expect, it } from "vitest";
import { configFor, gatewayKey, secrets } from "../support/deployment.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startManagement } from "../support/management.ts";
import { type Answering, json, startUpstream } from "../support/upstream.ts";

const retryInfo = (retryDelay: string) => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });

/** Google says in the body how long it wants to be left alone, and in no header (google.rpc.RetryInfo). */
const googleSays = (retryDelay: string): Answering => {
  const details = [retryInfo(retryDelay)];
  const error = { code: 429, message: "You exceeded your quota.", status: "RESOURCE_EXHAUSTED", details };
  return (_, response) => json(response, 429, { error });
};

const openAiSays =
  (headers: Record<string, string>): Answering =>
  (_, response) =>
    json(response, 429, { error: { message: "Slow down.", type: "rate_limit_error" } }, headers);

const none = {
  conditions: [{ key: "provider", value: "*" }],
  group_by: [{ key: "provider" }],
  type: "requests",
  unit: "rpm",
  value: 0,
};

async function asked(answer: Answering, path: string, body: object, headers: Record<string, string> = {}) {
  const upstream = await startUpstream(answer);
  const gateway = await startTestGateway(`${configFor(upstream.url).replace("proxy: {}", "retry: {}")}`, secrets);
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-gateway-api-key": gatewayKey, ...headers },
    body: JSON.stringify(body),
  });
  return { response, body: await response.json(), calls: upstream.received.length };
}

const chat = { model: "google/gemini-3.5-flash", messages: [{ role: "user", content: "Hello?" }] };
const generation = { contents: [{ role: "user", parts: [{ text: "Hello?" }] }] };

describe("how long a vendor asks to be left alone", () => {
  it.each([false, true])("is in the headers where it was in the body (streamed: %s)", async (stream) => {
    const { response } = await asked(googleSays("6.5s"), "/v1/chat/completions", { ...chat, stream });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("retry-after-ms")).toBe("6500");
  });

  it.each(["a while", "-1s", "0s", "12345678901s", ""])("is not where %j is said", async (retryDelay) => {
    const { response } = await asked(googleSays(retryDelay), "/v1/chat/completions", chat);
    expect(response.headers.get("retry-after")).toBeNull();
  });

  it("is what retries wait for, where they are to heed it", async () => {
    const heeding = JSON.stringify({ retry: { attempts: 1, use_retry_after_headers: true } });
    const soon = await asked(googleSays("0.001s"), "/v1/chat/completions", chat, { "x-gateway-config": heeding });
    expect(soon.calls).toBe(2);
    const late = await asked(googleSays("61s"), "/v1/chat/completions", chat, { "x-gateway-config": heeding });
    expect([late.calls, late.response.headers.get("x-gateway-retry-attempt-count")]).toEqual([1, "-1"]);
  });

  it.each([
    [{ "retry-after": "7" }, "7s"],
    [{ "retry-after-ms": "1500", "retry-after": "2" }, "1.5s"],
  ])("is in the body for clients of Google where %j says it", async (headers, retryDelay) => {
    const { body } = await asked(openAiSays(headers), "/v1beta/models/openai/gpt-6:generateContent", generation);
    expect(body).toMatchObject({ error: { code: 429, details: [retryInfo(retryDelay)] } });
  });

  it("is in the body where a limit of the gateway says it, too", async () => {
    const management = await startManagement({
      "counters-memory": {},
      "policy-records": { rateLimits: { none } },
      "rate-limits": {},
      routing: {},
      "format-gemini": {},
    });
    const caller = management.as({ workspace: management.workspace.id, scopes: ["completions.write"] });
    const path = "/v1beta/models/gemini-3.5-flash:generateContent";
    const { status, body, headers } = await caller("POST", path, generation, {
      "x-gateway-provider": "google",
      authorization: "Bearer none",
    });
    expect(status).toBe(429);
    const seconds = Number(headers.get("retry-after-ms")) / 1000;
    expect(body.error.details).toContainEqual(retryInfo(`${seconds}s`));
  });

  it("is there once where the vendor is Google, too", async () => {
    const { body, response } = await asked(googleSays("7s"), "/v1beta/models/google/gemini-3.5-flash:generateContent", {
      ...generation,
    });
    expect(body).toMatchObject({ error: { details: [retryInfo("7s")] } });
    expect(response.headers.get("retry-after")).toBe("7");
  });
});
