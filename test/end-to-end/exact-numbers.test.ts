import { expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

/** An identifier as many services give them: a double holds another one, 1234567890123456800. */
const id = "1234567890123456789";
const input = `{"channel":${id},"of":[{"user":-${id}}],"note":"PIN 1234"}`;

const answers = {
  chat: `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"post","arguments":${JSON.stringify(input)}}}]},"finish_reason":"tool_calls","seed":${id}}],"order":${id}}`,
  messages: `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"post","input":${input}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1},"order":${id}}`,
};

const asked = {
  chat: `{"model":"m","messages":[{"role":"user","content":"Post."},{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"post","arguments":${JSON.stringify(input)}}}]},{"role":"tool","tool_call_id":"call_1","content":"Done."}],"seed":${id}}`,
  messages: `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Post."},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"post","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Done."}]}]}`,
};

const paths = { chat: "/v1/chat/completions", messages: "/v1/messages" };

async function start() {
  const vendor = await startUpstream(({ url, body }, response) => {
    response.setHeader("content-type", "application/json");
    if (url === "/hook") {
      // It reads and writes no numbers itself, and changes one word.
      const asked = `${body}`;
      const json = asked
        .slice(asked.indexOf('"json":') + 7, asked.indexOf(',"text":'))
        .replaceAll("Done.", "Well done.");
      return void response.end(`{"verdict":true,"transformedData":{"request":{"json":${json}}}}`);
    }
    response.end(/\/(?:messages|invoke)$/.test(url) ? answers.messages : answers.chat);
  });
  const gateway = await startTestGateway(`
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
  format-anthropic-messages: {}
  checks: {}
  guardrails: {}
  proxy: {}
providers:
  openai: { apiKey: k, baseUrl: "${vendor.url}" }
  anthropic: { apiKey: k, baseUrl: "${vendor.url}" }
  bedrock: { apiKey: k, region: us-east-1, baseUrl: "${vendor.url}" }
`);
  const hooked = { input_guardrails: [{ "default.webhook": { webhookURL: `${vendor.url}/hook` } }] };
  const ask = async (path: string, body: string, config: object) => {
    const headers = { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) };
    const response = await fetch(gateway.url + path, { method: "POST", headers, body });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    return { text, sent: vendor.received.at(-1)?.body.toString() ?? "" };
  };
  return { ask, hooked };
}

const redacting = {
  input_guardrails: [{ "default.regexReplace": { rule: "/Done/g", redactText: "Ready" } }],
  output_guardrails: [{ "default.regexReplace": { rule: "/PIN 1234/g", redactText: "PIN ####" } }],
};

it("numbers that no double holds reach vendors and clients as they were written", async () => {
  const { ask, hooked } = await start();
  const shaped = {
    override_params: { temperature: 0.5, metadata: { user_id: "u" } },
    drop_params: ["messages[0].name"],
  };
  const inText = JSON.stringify(input).slice(1, -1);
  const held = { chat: inText, messages: input };

  for (const client of ["chat", "messages"] as const)
    for (const [provider, upstream] of [
      ["openai", "chat"],
      ["anthropic", "messages"],
    ] as const)
      for (const more of [{}, shaped, redacting, hooked]) {
        const { text, sent } = await ask(paths[client], asked[client], { provider, ...more });
        const what = { client, provider, more };
        if (more === hooked) expect(sent).toContain("Well done.");
        expect({ what, sent }).toEqual({ what, sent: expect.stringContaining(held[upstream]) });
        const answered = more === redacting ? held[client].replace("PIN 1234", "PIN ####") : held[client];
        expect({ what, text }).toEqual({ what, text: expect.stringContaining(answered) });
        if (client === "chat" && upstream === "chat") expect(sent).toContain(`"seed":${id}`);
        // What else the vendor said stands in answers of its own format.
        if (client === upstream)
          expect({ what, text }).toEqual({ what, text: expect.stringContaining(`"order":${id}`) });
        if (client === upstream && client === "chat") expect(text).toContain(`"seed":${id}`);
      }

  // Where the URL says the model, the rest of the body is one of its own.
  const atCloud = await ask(
    "/model/anthropic.claude-x/invoke",
    `{"anthropic_version":"bedrock-2023-05-31",${asked.messages.slice(1, -1)},"order":${id}}`,
    { provider: "bedrock", override_params: { temperature: 0.5 } },
  );
  expect(atCloud.sent).toContain(`"order":${id}`);

  const raw = await ask("/v1/proxy/anything", `{"model":"m","where":{"id":${id}},"at":${id}}`, {
    provider: "openai",
    override_params: { more: true },
  });
  expect(raw.sent).toBe(`{"model":"m","where":{"id":${id}},"at":${id},"more":true}`);
});
