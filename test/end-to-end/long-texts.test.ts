import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
};

/** A document as some clients write it: escapes where none are needed, and characters of more than one byte. */
const written = `${"Caf\\u00e9 \\/ 日本 PIN 1234\\n".repeat(600)}end`;
const meant = JSON.parse(`"${written}"`) as string;

async function start() {
  const vendor = await startUpstream((_, response) => json(response, 200, answer));
  const gateway = await startTestGateway(`
plugins:
  auth-open: {}
  routing: { default: openai }
  format-openai-chat: {}
  format-anthropic-messages: {}
  checks: {}
  guardrails: {}
providers:
  openai: { apiKey: k, baseUrl: "${vendor.url}" }
`);
  const ask = async (config?: object): Promise<string> => {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(config && { "x-gateway-config": JSON.stringify(config) }),
      },
      body: `{"model":"m","max_tokens":9,"system":"${written}","messages":[{"role":"user","content":[{"type":"text","text":"${written}"}]}]}`,
    });
    expect({ status: response.status, text: await response.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining("Yes."),
    });
    return vendor.received.at(-1)?.body.toString() ?? "";
  };
  return { ask };
}

it("reach another vendor's format as they were written", async () => {
  const { ask } = await start();
  const body = await ask();
  expect(body.split(`"${written}"`)).toHaveLength(3);
  expect(JSON.parse(body)).toMatchObject({
    messages: [
      { role: "system", content: meant },
      { role: "user", content: meant },
    ],
  });
  expect(await ask()).toBe(body);
});

it("reach it as a guardrail has left them, where it has changed them", async () => {
  const { ask } = await start();
  const body = await ask({
    provider: "openai",
    input_guardrails: [{ "default.regexReplace": { rule: "/\\d{4}/g", redactText: "####" } }],
  });
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  expect(messages.map(({ content }) => content)).toEqual([meant, meant.replaceAll("1234", "####")]);
});
