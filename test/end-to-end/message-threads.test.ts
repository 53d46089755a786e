import { expect, it } from "vitest";
import { anthropicClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const plugins = { "auth-open": {}, routing: {}, "format-anthropic-messages": {}, "format-openai-chat": {} };

const look = {
  type: "custom" as const,
  name: "look",
  description: "Looks something up.",
  input_schema: { type: "object" as const, properties: {} },
  run: () => "A cat.",
  parse: (input: unknown) => input,
};

const completion = (message: object, finish_reason: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
});
const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };

it("a client that would have its conversation held sends the whole of it where nobody can", async () => {
  const upstream = await startUpstream(({ body }, response) => {
    const { messages } = JSON.parse(`${body}`);
    const answer =
      messages.length === 1
        ? completion({ tool_calls: [call] }, "tool_calls")
        : completion({ content: "A cat." }, "stop");
    json(response, 200, answer);
  });
  const providers = { other: { use: "deepseek", apiKey: "other-key-0123456789", baseUrl: upstream.url } };
  const gateway = await startTestGateway(JSON.stringify({ plugins, providers }));
  const client = anthropicClient({ url: gateway.url });
  const asked = { model: "other/m", max_tokens: 100, messages: [{ role: "user" as const, content: "What is there?" }] };
  const answer = await client.beta.messages.toolRunner({ ...asked, tools: [look] });
  expect(answer.content).toMatchObject([{ type: "text", text: "A cat." }]);
  const roles = upstream.received.map(({ body }) =>
    JSON.parse(`${body}`).messages.map(({ role }: { role: string }) => role),
  );
  expect(roles).toEqual([["user"], ["user", "assistant", "tool"]]);
});

it("what the vendor says to its clients beside the message reaches them", async () => {
  const upstream = await startUpstream((_, response) =>
    json(response, 400, {
      type: "error",
      error: { type: "invalid_request_error", message: "No such thread.", details: { error_code: "thread_not_found" } },
    }),
  );
  const providers = { anthropic: { apiKey: "vendor-key-0123456789", baseUrl: upstream.url } };
  const gateway = await startTestGateway(JSON.stringify({ plugins, providers }));
  const client = anthropicClient({ url: gateway.url });
  const thread = { type: "continue" as const, previous_message_id: "msg_1" };
  const messages = [{ role: "user" as const, content: "And then?" }];
  await expect(
    client.beta.messages.create({ model: "anthropic/claude-opus-5", max_tokens: 100, thread, messages }),
  ).rejects.toMatchObject({ status: 400, error: { error: { details: { error_code: "thread_not_found" } } } });
});

const aws = {
  accessKeyId: "AKIDEXAMPLE0000000AA",
  secretAccessKey: "vendor-key-0123456789abcdef",
  region: "us-east-1",
};
const key = { apiKey: "vendor-key-0123456789" };

/** Hosts of the Messages API that hold no conversations. */
const forgetful = [
  { use: "bedrock", model: "anthropic.claude-sonnet-4-6", ...aws },
  { use: "bedrock-mantle", model: "anthropic.claude-sonnet-4-6", ...aws },
  { use: "vertex-ai", model: "anthropic.claude-sonnet-4-6", projectId: "p", region: "us-east5", ...key },
  { use: "databricks", model: "claude-sonnet-4-6", workspace: "dbc-a1b2c3d4", ...key },
  { use: "cortex", model: "claude-sonnet-4-6", account: "acme", ...key },
  { use: "minimax", model: "MiniMax-M2", messagesApi: true, ...key },
];

it.each(forgetful)("$use is asked for the whole conversation, for it holds none", async ({ model, ...options }) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const said = (content: object, stop_reason: string) => ({
    ...{ id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null, usage },
    ...{ content: [content], stop_reason },
  });
  const upstream = await startUpstream(({ body }, response) => {
    const isFirst = JSON.parse(`${body}`).messages.length === 1;
    const calls = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
    json(response, 200, isFirst ? said(calls, "tool_use") : said({ type: "text", text: "A cat." }, "end_turn"));
  });
  const providers = { other: { ...options, baseUrl: upstream.url } };
  const gateway = await startTestGateway(JSON.stringify({ plugins, providers }));
  const client = anthropicClient({ url: gateway.url });
  const messages = [{ role: "user" as const, content: 'What is in "thread"?' }];
  const answer = await client.beta.messages.toolRunner({
    ...{ model: `other/${model}`, max_tokens: 100, messages, tools: [look] },
    betas: ["message-threads-2026-08-12", "mine"],
  });
  expect(answer.content).toMatchObject([{ type: "text", text: "A cat." }]);
  const sent = upstream.received.map(({ body }) => JSON.parse(`${body}`));
  expect(sent.map((one) => one.messages.map(({ role }: { role: string }) => role))).toEqual([
    ["user"],
    ["user", "assistant", "user"],
  ]);
  expect(sent.every((one) => one.thread === undefined)).toBe(true);
});
