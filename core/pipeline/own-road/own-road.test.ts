import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../core/cli/testing.ts";
import { said } from "../../../test/faults/vendor.ts";
import { eventually } from "../../../test/support/calm.ts";
import { startTestGateway } from "../../../test/support/gateway.ts";
import { root } from "../../../test/support/root.ts";
import { json, startUpstream } from "../../../test/support/upstream.ts";
import { readJson, writeJson } from "../../codec-kit/exact-json.ts";
import type { Fields } from "../../codec-kit/records.ts";
import type { OwnRoad } from "./own-road.ts";

const handed = new Map<string, OwnRoad>();
Object.assign(globalThis, { handedRoads: handed });

/** Hands its road to the test. */
const messenger = `
import { definePlugin, z } from "${root}core/index.ts";
export default definePlugin({
  name: "messenger",
  summary: "Hands its road on; for tests.",
  options: z.strictObject({ name: z.string() }),
  setup({ own }, { name }) {
    globalThis.handedRoads.set(name, own);
  },
});
`;

const body = (content: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ model: "m", messages: [{ role: "user", content }], ...more }));
const principal = { id: "ana", organisation: "acme", workspace: "one" };
const chat = { path: "/v1/chat/completions", headers: { "content-type": "application/json" }, principal };

async function start(plugins: object = {}) {
  const begun: ServerResponse[] = [];
  const upstream = await startUpstream(({ url, body }, response) => {
    if (`${body}`.includes("Wait")) return;
    if (url.endsWith("/batch_1")) return json(response, 200, { id: "batch_1", output_file_id: "file-1" });
    const isStream = `${body}`.includes("Begin");
    if (isStream || url.endsWith("/content")) {
      begun.push(response);
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/jsonl" });
      return void response.write(isStream ? said.openai.frames[0] : "begun ");
    }
    if (url.includes("models")) return json(response, 200, { object: "list", data: [] });
    return json(response, 200, {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });
  const name = `road ${handed.size}`;
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        messenger: { use: "./messenger.ts", name },
        routing: { default: "main" },
        "format-openai-chat": {},
        "format-openai-files": {},
        "access-log": {},
        ...plugins,
      },
      providers: { main: { use: "openai", apiKey: "main-key-0123", baseUrl: `${upstream.url}/main` } },
    }),
    {},
    temporaryFolder({ "messenger.ts": messenger }),
  );
  onTestFinished(() => void handed.delete(name));
  const own = handed.get(name);
  if (!own) throw new Error("no road was handed on");
  return { own, received: upstream.received, gateway, begun };
}

const textOf = async (bytes: AsyncIterable<unknown>): Promise<string> => {
  let text = "";
  for await (const piece of bytes) text += piece;
  return text;
};

describe("a request of the gateway's own", () => {
  it("is given up by whoever sent it where the gateway ends, and has no answer", async () => {
    const { own, received, gateway } = await start();
    const leaving = new AbortController();
    const sent = own.send({ ...chat, method: "POST", body: body("Wait"), source: "batch", signal: leaving.signal });
    await eventually(() => expect(received).toHaveLength(1));
    gateway.generation.leave("now");
    leaving.abort();
    await expect(sent).rejects.toThrow("The answer broke off.");
  });

  const own = { principal, source: "batch" as const };
  const unread = { ...own, method: "GET", path: "/v1/files/file-1/content", headers: {} };
  const pieces = { ...unread, path: "/v1/batches/batch_1/output" };
  const stream = { ...chat, ...own, method: "POST", body: body("Begin", { stream: true }) };
  const frames = said.openai.frames.slice(1).join("");

  it.each([
    ["unread", unread, "and whole"],
    ["piece by piece", pieces, "and whole"],
    ["as a stream", stream, frames],
  ])("whose answer passes %s goes on when the gateway ends, if whoever sent it waits", async (_, asked, rest) => {
    const { own, gateway, begun } = await start();
    const answer = await own.send(asked);
    gateway.generation.leave("now");
    begun[0]?.end(rest);
    expect(await textOf(answer.body)).toMatch(/and whole$|\[DONE\]\n\n$/);
    expect((await answer.over).ending).toBe("complete");
  });

  it.each([
    ["unread", unread, "x"],
    ["unread, and is read slowly,", unread, "x".repeat(1_000_000)],
    ["piece by piece", pieces, "x"],
    ["piece by piece, and is read slowly,", pieces, "x".repeat(1_000_000)],
    ["as a stream", stream, ""],
  ])("whose answer passes %s breaks off where whoever sent it gives it up", async (_, asked, more) => {
    const leaving = new AbortController();
    const { own, begun } = await start();
    const answer = await own.send({ ...asked, signal: leaving.signal });
    begun[0]?.write(more);
    await eventually(() => expect(answer.body.readableLength).toBeGreaterThan(Math.min(more.length, 10_000)));
    leaving.abort();
    await expect(textOf(answer.body)).rejects.toMatchObject({ code: "upstream_truncated" });
    expect((await answer.over).ending).toBe("client-gone");
  });

  it("travels as a client's does, for whoever it is said to be for", async () => {
    const { own, received } = await start();
    const answer = await own.send({ ...chat, method: "POST", body: body("Hello"), source: "batch" });
    expect([answer.status, JSON.parse(await textOf(answer.body)).choices[0].message.content]).toEqual([200, "Hi"]);
    expect(answer.headers["x-gateway-provider"]).toBe("openai");
    const exchange = await answer.over;
    expect(exchange).toMatchObject({ principal, source: "batch", usage: { inputTokens: 1, outputTokens: 2 } });
    expect(received).toHaveLength(1);
  });

  it("is refused as any other is", async () => {
    const { own, received } = await start();
    const limited = { ...principal, scopes: ["logs.view"] };
    const answer = await own.send({ ...chat, method: "POST", principal: limited, body: body("Hello") });
    expect([answer.status, received.length]).toEqual([403, 0]);
    expect(await textOf(answer.body)).toContain("completions.write");
  });

  it("is for an endpoint that there is", async () => {
    const { own } = await start();
    const nowhere = own.send({ ...chat, method: "POST", path: "/v1/nowhere", body: body("Hello") });
    await expect(nowhere).rejects.toMatchObject({ code: "not_found" });
  });

  it("ends when whoever sent it gives it up, before it has an answer", async () => {
    const leaving = new AbortController();
    leaving.abort();
    const { own } = await start();
    const asked = own.send({ ...chat, method: "POST", body: body("Hello"), signal: leaving.signal });
    await expect(asked).rejects.toMatchObject({ code: "upstream_truncated" });
  });

  it("ends when its answer is not read to the end", async () => {
    const { own } = await start();
    const answer = await own.send({ ...chat, method: "POST", body: body("Hello") });
    answer.body.destroy();
    await once(answer.body, "close");
    expect((await answer.over).status).toBe(200);
  });
});

describe("a rehearsal", () => {
  const guards = { checks: {}, guardrails: {} };
  const headers = (config: object) => ({
    ...chat.headers,
    "x-gateway-config": JSON.stringify({ provider: "main", ...config }),
  });
  const redacts = { "default.regexReplace": { rule: "\\d+", redactText: "[N]" } };
  const denies = { contains: { words: ["gin"], operator: "none" }, deny: true };
  const answer = (content: string) => ({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    own_field: true,
  });

  it("says what guardrails make of a request, and calls nobody", async () => {
    const { own, received } = await start(guards);
    const rehearse = (text: string) =>
      own.rehearse({
        ...chat,
        headers: headers({ input_guardrails: [denies, redacts] }),
        body: body(text, { top_k: 3 }),
      });
    expect(await rehearse("tea")).toEqual({ status: 200 });
    expect(await rehearse("tea for 2")).toEqual({
      status: 200,
      changed: expect.objectContaining({ model: "m", messages: [{ role: "user", content: "tea for [N]" }] }),
    });
    expect(await rehearse("gin")).toMatchObject({ status: 446, refusal: { error: { type: "hooks_failed" } } });
    expect(received).toEqual([]);
  });

  it("says what they make of an answer, without looking at the request again", async () => {
    const { own, received } = await start(guards);
    const config = { input_guardrails: [denies], output_guardrails: [denies, redacts] };
    const rehearse = (said: string) =>
      own.rehearse({ ...chat, headers: headers(config), body: body("gin"), answer: answer(said) });
    expect(await rehearse("tea")).toEqual({ status: 200 });
    expect(await rehearse("2 teas")).toMatchObject({
      status: 200,
      changed: { choices: [{ message: { content: "[N] teas" } }] },
    });
    expect(await rehearse("gin")).toMatchObject({ status: 446 });
    expect(received).toEqual([]);
  });

  it("says numbers that no double holds as they were written", async () => {
    const { own } = await start({ ...guards, "format-anthropic-messages": {} });
    const input = '{"id":1234567890123456789,"note":"tea for 2"}';
    const notes = { "default.regexReplace": { rule: "for 2", redactText: "for two" } };
    const messages = { path: "/v1/messages", headers: headers({ output_guardrails: [notes] }) };
    const { changed } = await own.rehearse({
      ...chat,
      ...messages,
      body: Buffer.from('{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}'),
      answer: readJson(
        `{"id":"1","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}],"usage":{}}`,
      ) as Fields,
    });
    expect(writeJson(changed)).toContain('"input":{"id":1234567890123456789,"note":"tea for two"}');
  });

  it("says calls of tools for free text as the client declared them, where they were translated without knowing", async () => {
    const { own } = await start();
    const custom = { name: "apply_patch", description: "Edits files." };
    const call = (name: string, input: object) => ({
      id: `call_${name}`,
      type: "function",
      function: { name, arguments: JSON.stringify(input) },
    });
    const rehearse = (...calls: object[]) => {
      const given = answer("");
      const message = { role: "assistant", content: null, tool_calls: calls };
      return own.rehearse({
        ...chat,
        body: body("Edit it.", { tools: [{ type: "custom", custom }] }),
        answer: { ...given, choices: [{ index: 0, message, finish_reason: "tool_calls" }] },
      });
    };
    const other = call("other", { input: "x" });
    const written = { id: "call_apply_patch", type: "custom", custom: { name: "apply_patch", input: "*** Begin" } };
    expect(await rehearse(call("apply_patch", { input: "*** Begin" }), other)).toMatchObject({
      status: 200,
      changed: { id: "c", own_field: true, choices: [{ message: { tool_calls: [written, other] } }] },
    });
    expect(await rehearse(written, other)).toEqual({ status: 200 });
    expect(await rehearse(other)).toEqual({ status: 200 });
  });

  it("says what is wrong with a request that could not be sent", async () => {
    const { own } = await start();
    const rehearse = (more: object, content = body("Hello")) => own.rehearse({ ...chat, body: content, ...more });
    expect(await rehearse({}, Buffer.from("no json"))).toMatchObject({ status: 400 });
    expect(await rehearse({ headers: { ...chat.headers, "x-gateway-provider": "nobody" } })).toMatchObject({
      status: 400,
    });
    expect(await rehearse({ headers: { ...chat.headers, "x-gateway-nitro-mode": "true" } })).toMatchObject({
      status: 400,
    });
  });
});
