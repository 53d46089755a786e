import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { eventually } from "../support/calm.ts";
import { startTestGateway } from "../support/gateway.ts";
import { json, startUpstream } from "../support/upstream.ts";

const keys = { ann: "key-of-ann-0123456789abcdef", bob: "key-of-bob-0123456789abcdef" };

const completion = (content: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
});

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

/** A gateway before a vendor that knows chats only, and one that serves the Responses API itself. */
async function start() {
  let count = 0;
  const upstream = await startUpstream(({ url, body }, response) => {
    if (url.startsWith("/native"))
      return json(response, 200, { id: "resp_native", object: "response", output: [], url });
    const asked = JSON.parse(`${body}`) as { stream?: boolean; messages: object[] };
    const said = `answer ${++count}`;
    if (!asked.stream) return json(response, 200, completion(said));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${chunk({ role: "assistant", content: said })}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
  const folder = temporaryFolder({});
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": {
          keys: Object.entries(keys).map(([name, key]) => ({ name, key, scopes: ["completions.write"] })),
        },
        routing: { default: "chats" },
        "strategy-hedge": {},
        cache: {},
        "cache-memory": {},
        "format-openai-chat": {},
        "format-openai-responses": {},
        "records-file": {},
        "responses-store": {},
        proxy: {},
      },
      providers: {
        chats: { use: "deepseek", apiKey: "chats-key-0123", baseUrl: `${upstream.url}/chats` },
        native: { use: "openai", apiKey: "native-key-0123", baseUrl: `${upstream.url}/native` },
      },
    }),
    {},
    folder,
  );
  const clientOf = (who: keyof typeof keys) =>
    new OpenAI({ apiKey: keys[who], baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const sent = () => upstream.received.map(({ body }) => JSON.parse(`${body}`) as { messages: object[] });
  return { client: clientOf("ann"), bob: clientOf("bob"), sent, upstream, gateway };
}

describe("responses of a provider that keeps none", () => {
  it("are gone on from, with what was said before", async () => {
    const { client, sent } = await start();
    const first = await client.responses.create({ model: "m", instructions: "Be brief.", input: "One?" });
    expect(first).toMatchObject({ store: true, previous_response_id: null, output_text: "answer 1" });
    const second = await client.responses.create({ model: "m", input: "Two?", previous_response_id: first.id });
    expect(second).toMatchObject({ previous_response_id: first.id, output_text: "answer 2" });
    await client.responses.create({ model: "m", input: "Three?", previous_response_id: second.id });
    expect(sent()[2]?.messages).toEqual([
      { role: "user", content: "One?" },
      { role: "assistant", content: "answer 1" },
      { role: "user", content: "Two?" },
      { role: "assistant", content: "answer 2" },
      { role: "user", content: "Three?" },
    ]);
  });

  it("are gone on from with the instructions of the request first, and with the system messages of the input", async () => {
    const { client, sent } = await start();
    const input = [
      { role: "system" as const, content: "You are a pirate." },
      { role: "user" as const, content: "One?" },
    ];
    const first = await client.responses.create({ model: "m", instructions: "Be brief.", input });
    const second = await client.responses.create({
      model: "m",
      instructions: "Be long.",
      input: "Two?",
      previous_response_id: first.id,
    });
    await client.responses.create({ model: "m", input: "Three?", previous_response_id: second.id });
    const conversation = [
      { role: "system", content: "You are a pirate." },
      { role: "user", content: "One?" },
      { role: "assistant", content: "answer 1" },
      { role: "user", content: "Two?" },
    ];
    expect(sent()[1]?.messages).toEqual([{ role: "system", content: "Be long." }, ...conversation]);
    const last = [
      { role: "assistant", content: "answer 2" },
      { role: "user", content: "Three?" },
    ];
    expect(sent()[2]?.messages).toEqual([...conversation, ...last]);
  });

  it("are kept where that is asked for in so many words, which is no loss", async () => {
    const { client } = await start();
    const options = { headers: { "x-gateway-strict-params": "true" } };
    const first = await client.responses.create({ model: "m", input: "One?", store: true }, options).withResponse();
    expect(first.data).toMatchObject({ store: true });
    expect(first.response.headers.has("x-gateway-dropped-params")).toBe(false);
    const { id } = first.data;
    const asked = { model: "m", input: "Two?", store: true, previous_response_id: id } as const;
    expect(await client.responses.create(asked, options)).toMatchObject({ store: true, previous_response_id: id });
  });

  it("are gone on from when they were streamed", async () => {
    const { client, sent } = await start();
    const stream = client.responses.stream({ model: "m", input: "One?" });
    const first = await stream.finalResponse();
    expect(first).toMatchObject({ store: true, output_text: "answer 1" });
    await client.responses.create({ model: "m", input: "Two?", previous_response_id: first.id });
    expect(sent()[1]?.messages).toHaveLength(3);
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: "answer 1" });
  });

  it("are read, listed and deleted", async () => {
    const { client } = await start();
    const first = await client.responses.create({ model: "m", input: "One?" });
    expect(await client.responses.retrieve(first.id)).toEqual(first);
    const second = await client.responses.create({
      model: "m",
      previous_response_id: first.id,
      input: [{ role: "user", content: "Two?" }],
    });
    const all = await client.responses.inputItems.list(second.id);
    expect(all.data.map((item) => item.type)).toEqual(["message", "message", "message"]);
    const newest = await client.responses.inputItems.list(second.id, { order: "desc", limit: 1 });
    expect(newest.data).toMatchObject([{ role: "user", content: [{ text: "Two?" }] }]);
    expect(newest.has_more).toBe(true);
    const next = await client.responses.inputItems.list(second.id, { order: "desc", after: newest.data[0]?.id ?? "" });
    expect(next.data).toHaveLength(2);
    await client.responses.delete(first.id);
    await expect(
      client.responses.create({ model: "m", input: "?", previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400, param: "previous_response_id" });
    expect(await client.responses.retrieve(second.id)).toMatchObject({ id: second.id });
    await expect(client.responses.cancel(second.id)).rejects.toMatchObject({ status: 400 });
  });

  it.each([false, true])("are gone on from when they won a race, streamed: %s", async (stream) => {
    const { client, sent } = await start();
    const targets = [{ provider: "@chats" }, { provider: "@chats" }];
    const config = JSON.stringify({ strategy: { mode: "hedge", delay: 0 }, targets });
    const options = { headers: { "x-gateway-config": config } };
    const first = stream
      ? await client.responses.stream({ model: "m", input: "One?" }, options).finalResponse()
      : await client.responses.create({ model: "m", input: "One?" }, options);
    await client.responses.create({ model: "m", input: "Two?", previous_response_id: first.id });
    expect(sent().at(-1)?.messages[1]).toEqual({ role: "assistant", content: first.output_text });
  });

  it.each([false, true])("are gone on from when they came from the cache, streamed: %s", async (stream) => {
    const { client, sent, gateway } = await start();
    const options = { headers: { "x-gateway-config": JSON.stringify({ provider: "@chats", cache: "simple" }) } };
    const asked = { model: "m", input: "One?" };
    const ask = () =>
      stream ? client.responses.stream(asked, options).finalResponse() : client.responses.create(asked, options);
    const first = await ask();
    await eventually(() => expect(gateway.generation.active).toBe(0));
    const second = await ask();
    expect(sent()).toHaveLength(1);
    expect(second).toMatchObject({ output_text: first.output_text, store: true });
    expect(second.id).not.toBe(first.id);
    await client.responses.create({ model: "m", input: "Two?", previous_response_id: second.id });
    expect(sent().at(-1)?.messages).toHaveLength(3);
  });

  it("are their tenant's only", async () => {
    const { client, bob } = await start();
    const { id } = await client.responses.create({ model: "m", input: "One?" });
    await expect(bob.responses.create({ model: "m", input: "?", previous_response_id: id })).rejects.toMatchObject({
      status: 400,
    });
  });

  it("are not kept where the request says so", async () => {
    const { client } = await start();
    const first = await client.responses.create({ model: "m", input: "One?", store: false });
    expect(first).toMatchObject({ store: false });
    await expect(
      client.responses.create({ model: "m", input: "?", previous_response_id: first.id }),
    ).rejects.toMatchObject({ status: 400 });
  });

  it("are paged forwards behind an item, and backwards before one", async () => {
    const { client, gateway } = await start();
    const input = ["a", "b", "c", "d", "e"].map((content) => ({ role: "user" as const, content }));
    const { id } = await client.responses.create({ model: "m", input });
    const headers = { authorization: `Bearer ${keys.ann}` };
    const page = async (query: string) => {
      const response = await fetch(`${gateway.url}/v1/responses/${id}/input_items?${query}`, { headers });
      const { data, ...more } = (await response.json()) as Page;
      return { ...more, texts: data.map(({ content: [{ text }] }) => text).join("") };
    };
    const first = await page("limit=2");
    expect(first).toMatchObject({ texts: "ab", has_more: true });
    const second = await page(`limit=2&after=${first.last_id}`);
    expect(second).toMatchObject({ texts: "cd", has_more: true });
    const third = await page(`limit=2&after=${second.last_id}`);
    expect(third).toMatchObject({ texts: "e", has_more: false });
    expect(await page(`limit=2&before=${third.first_id}`)).toEqual(second);
    expect(await page(`limit=2&before=${second.first_id}`)).toEqual({ ...first, has_more: false });
    expect(await page(`limit=2&order=desc&before=${first.first_id}`)).toMatchObject({ texts: "cb", has_more: true });
    expect(await page(`after=${first.first_id}&before=${third.first_id}`)).toMatchObject({ texts: "bcd" });
  });

  it.each(["limit=0", "limit=101", "limit=x", "order=up", "after=nobody"])("are not listed with %s", async (query) => {
    const { client, gateway } = await start();
    const { id } = await client.responses.create({ model: "m", input: "One?" });
    const response = await fetch(`${gateway.url}/v1/responses/${id}/input_items?${query}`, {
      headers: { authorization: `Bearer ${keys.ann}` },
    });
    expect(response.status).toBe(400);
  });
});

interface Page {
  readonly data: readonly { readonly content: readonly [{ readonly text: string }] }[];
  readonly first_id: string;
  readonly last_id: string;
  readonly has_more: boolean;
}

describe("responses of a provider that keeps them", () => {
  it("are not asked of one that has none", async () => {
    const { gateway, upstream } = await start();
    const paths = ["GET /resp_x", "DELETE /resp_x", "POST /resp_x/cancel", "GET /resp_x/input_items"];
    for (const [method = "", path = ""] of paths.map((one) => one.split(" "))) {
      const headers = { authorization: `Bearer ${keys.ann}`, "x-gateway-provider": "@chats" };
      const answer = await fetch(`${gateway.url}/v1/responses${path}`, { method, headers });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: expect.objectContaining({ type: "not_found_error", message: expect.stringContaining('"resp_x"') }) },
      ]);
    }
    expect(upstream.received).toEqual([]);
  });

  it("are its own: requests pass through, and ids nobody knows here are asked of it", async () => {
    const { client, upstream } = await start();
    const options = { headers: { "x-gateway-provider": "@native" } };
    await client.responses.create({ model: "m", input: "?", previous_response_id: "resp_x" }, options);
    expect(JSON.parse(`${upstream.received[0]?.body}`)).toMatchObject({ previous_response_id: "resp_x" });
    expect(await client.responses.retrieve("resp_x", {}, options)).toMatchObject({ url: "/native/responses/resp_x" });
  });
});

it("keeps a call of a tool for free text as the client was given it", async () => {
  const upstream = await startUpstream((_, response) => {
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "apply_patch", arguments: '{"input":"*** Begin"}' },
    };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    json(response, 200, { ...completion(""), choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
  });
  const key = keys.ann;
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-keys": { keys: [{ name: "ann", key, scopes: ["completions.write"] }] },
        routing: { default: "chats" },
        "format-openai-chat": {},
        "format-openai-responses": {},
        "records-file": {},
        "responses-store": {},
      },
      providers: { chats: { use: "deepseek", apiKey: "chats-key-0123", baseUrl: upstream.url } },
    }),
    {},
    temporaryFolder({}),
  );
  const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  const tools = [{ type: "custom" as const, name: "apply_patch", description: "Edits files." }];
  const given = await client.responses.create({ model: "m", input: "Edit it.", tools });
  expect(given.output).toMatchObject([{ type: "custom_tool_call", call_id: "call_1", input: "*** Begin" }]);
  expect((await client.responses.retrieve(given.id)).output).toEqual(given.output);
});
