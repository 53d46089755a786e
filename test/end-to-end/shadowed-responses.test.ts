import OpenAI from "openai";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const key = "key-of-ann-0123456789abcdef";
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

it("a copy of a request that goes on from a response is asked with what was said before, and is not kept", async () => {
  const upstream = await startUpstream((_, response) => {
    const choice = { index: 0, message: { role: "assistant", content: "Hello." }, finish_reason: "stop" };
    json(response, 200, { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice], usage });
  });
  const provider = (name: string) => ({ use: "mistral-ai", apiKey: name, baseUrl: `${upstream.url}/${name}` });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": { keys: [{ name: "ann", key, scopes: ["completions.write"] }] },
        routing: {
          configs: { copied: { strategy: { mode: "shadow" }, targets: [{ provider: "main" }, { provider: "copy" }] } },
          defaultConfig: "copied",
        },
        "strategy-shadow": {},
        "format-openai-chat": {},
        "format-openai-responses": {},
        "records-file": {},
        "responses-store": {},
      },
      providers: { main: provider("main"), copy: provider("copy") },
    }),
    {},
    temporaryFolder({}),
  );
  const { responses } = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const first = await responses.create({ model: "m", input: "Hi" });
  const next = await responses.create({ model: "m", input: "And?", previous_response_id: first.id });
  const asked = (name: string) =>
    upstream.received
      .filter(({ url }) => url.startsWith(`/${name}/`))
      .map(({ body }) => JSON.parse(`${body}`).messages.map(({ content }: { content: string }) => content));
  const both = [["Hi"], ["Hi", "Hello.", "And?"]];
  expect(asked("main")).toEqual(both);
  await expect.poll(() => asked("copy")).toEqual(both);
  expect(next.output_text).toBe("Hello.");
  expect((await responses.retrieve(next.id)).id).toBe(next.id);
});
