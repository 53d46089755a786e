import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const formats = {
  "/v1/chat/completions": { messages: [{ role: "user", content: "Hi" }] },
  "/v1/responses": { input: "Hi" },
  "/v1/messages": { max_tokens: 10, messages: [{ role: "user", content: "Hi" }] },
};

async function start() {
  const upstream = await startUpstream((_, response) => json(response, 200, { candidates: [] }));
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: { default: "google" },
        "format-gemini": {},
        "format-openai-chat": {},
        "format-openai-responses": {},
        "format-anthropic-messages": {},
        checks: {},
        guardrails: {},
      },
      providers: { google: { apiKey: "google-key-0123", baseUrl: `${upstream.url}/v1beta` } },
    }),
  );
  return { gateway, upstream };
}

const deepSchema = (levels: number) =>
  `${`{"type":"object","properties":{"a":`.repeat(levels)}{"type":"string"}${"}}".repeat(levels)}`;

const toolWith = (path: string, schema: string) => {
  if (path === "/v1/messages") return `{"name":"f","input_schema":${schema}}`;
  const fields = `"name":"f","parameters":${schema}`;
  return path === "/v1/responses" ? `{"type":"function",${fields}}` : `{"type":"function","function":{${fields}}}`;
};

it.each(Object.entries(formats))(
  "a schema nested without end is refused by %s, and no failure of the gateway",
  async (path, body) => {
    const { gateway, upstream } = await start();
    const tool = toolWith(path, deepSchema(6_000));
    const response = await fetch(`${gateway.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `${JSON.stringify({ model: "m", ...body }).slice(0, -1)},"tools":[${tool}]}`,
    });
    expect([response.status, await response.text()]).toEqual([400, expect.stringMatching(/nested 1\d{4} levels deep/)]);
    expect(upstream.received).toEqual([]);
    expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  },
);

it("arguments of an earlier call that are nested without end are refused, or sent where V8 can write them", async () => {
  const { gateway, upstream } = await start();
  const call = {
    id: "c",
    type: "function",
    function: { name: "f", arguments: `${'{"a":'.repeat(6_000)}1${"}".repeat(6_000)}` },
  };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "m",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", tool_calls: [call] },
        { role: "tool", tool_call_id: "c", content: "ok" },
      ],
    }),
  });
  const text = await response.text();
  if (upstream.received.length === 0)
    expect([response.status, text]).toEqual([
      400,
      expect.stringMatching(/holds a text of JSON that is nested 600\d levels deep/),
    ]);
  else expect(response.status).toBe(200);
  expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});
