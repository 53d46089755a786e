import { join } from "node:path";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { describe, expect, it } from "vitest";
import { said } from "../../test/faults/vendor.ts";
import { eventually } from "../../test/support/calm.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { json } from "../../test/support/upstream.ts";
import { raw } from "../realtime/testing.ts";
import { answers, conversationIn, dial, type Event, somebody, startSocketGateway } from "./testing.ts";

const idOf = (events: readonly Event[]): unknown => events.at(-1)?.response?.id;
const typesOf = (events: readonly Event[]): unknown[] => events.map(({ type }) => type);
const errorOf = (events: readonly Event[]): unknown => events.at(-1);
const { frames } = said.openai;

describe("a socket for responses", () => {
  it("answers turns with the events of a stream, and goes on from what nobody stores", async () => {
    const { gateway, vendor } = await startSocketGateway();
    const client = await dial(gateway);
    client.ask("One");
    const first = await client.answer();
    expect(first[0]).toMatchObject({ type: "response.created", response: { status: "in_progress" } });
    expect(first.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    expect(first.flatMap(({ delta }) => delta ?? [])).toEqual(["Hello", " there"]);
    client.ask([{ role: "user", content: "Two" }], { previous_response_id: idOf(first) });
    const second = await client.answer();
    expect(second.at(-1)).toMatchObject({ response: { previous_response_id: idOf(first), store: false } });
    // Nobody stores it here, whether or not that is said.
    client.ask("Three", { previous_response_id: idOf(second), store: undefined });
    const third = await client.answer();
    client.ask("Four", { previous_response_id: idOf(third) });
    expect(typesOf(await client.answer())).toContain("response.completed");
    const said = ["user: One", "assistant: Hello there", "user: Two", "assistant: Hello there", "user: Three"];
    const fourth = [...said, "assistant: Hello there", "user: Four"];
    expect(vendor.received.map(conversationIn)).toEqual([said.slice(0, 1), said.slice(0, 3), said, fourth]);
    expect(vendor.received[0]?.headers.authorization).toBe("Bearer sk-of-the-vendor");
  });

  it("is one that OpenAI's SDK talks to", async () => {
    const { gateway } = await startSocketGateway();
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "k", defaultHeaders: somebody });
    const socket = new ResponsesWS(openai, { headers: somebody });
    const text = await new Promise((resolve, reject) => {
      let whole = "";
      socket.on("response.output_text.delta", ({ delta }) => {
        whole += delta;
      });
      socket.on("response.completed", () => resolve(whole));
      socket.on("error", reject);
      socket.send({ type: "response.create", model: "m", input: "Hi", store: false });
    });
    socket.close();
    expect(text).toBe("Hello there");
  });

  it("goes on from what is stored as a request by POST does", async () => {
    const { gateway, vendor } = await startSocketGateway(
      answers,
      {},
      {
        "records-file": { path: join(folderOfFile(), "records.db") },
        "responses-store": {},
      },
    );
    const client = await dial(gateway);
    client.ask("One", { store: true });
    const first = await client.answer();
    client.ask("Two", { store: true, previous_response_id: idOf(first) });
    const second = await client.answer();
    expect(second.at(-1)).toMatchObject({ response: { store: true, previous_response_id: idOf(first) } });
    client.ask("Three", { previous_response_id: "resp_00000000000000000000000000000000" });
    expect(errorOf(await client.answer())).toMatchObject({
      status: 400,
      error: { code: "previous_response_not_found", param: "previous_response_id" },
    });
    expect(vendor.received.map((one) => conversationIn(one).length)).toEqual([1, 3]);
  });

  it("prepares what is to be gone on from, and asks nobody for it", async () => {
    const { gateway, vendor } = await startSocketGateway();
    const client = await dial(gateway);
    client.ask("One", { generate: false, instructions: "Be brief." });
    const warm = await client.answer();
    expect(typesOf(warm)).toEqual(["response.created", "response.completed"]);
    expect(warm[1]?.response).toMatchObject({ status: "completed", output: [], usage: null, model: "m" });
    expect(vendor.received).toEqual([]);
    client.ask([], { previous_response_id: idOf(warm) });
    await client.answer();
    expect(vendor.received.map(conversationIn)).toEqual([["user: One"]]);
  });

  it("answers one turn of a lane after the other, and lanes beside each other", async () => {
    const held: (() => void)[] = [];
    const { gateway, vendor } = await startSocketGateway((request, response) => {
      held.push(() => answers(request, response, undefined as never));
    });
    const client = await dial(gateway);
    for (const [input, stream_id] of [["a1", "a"], ["a2", "a"], ["b1", "b"], ["none"]])
      client.ask(input, { stream_id });
    await eventually(() => expect(held).toHaveLength(3));
    expect(vendor.received.flatMap(conversationIn).sort()).toEqual(["user: a1", "user: b1", "user: none"]);
    held.shift()?.();
    const [first] = [await client.answer()];
    expect(new Set(first.map(({ stream_id }) => stream_id))).toEqual(new Set(["a"]));
    await eventually(() => expect(held).toHaveLength(3));
    for (const answer of held) answer();
    const lanes = new Set<unknown>();
    for (let ends = 0; ends < 3; ) {
      const event = await client.event();
      lanes.add(event.stream_id);
      if (event.type === "response.completed") ends++;
    }
    expect(lanes).toEqual(new Set(["a", "b", undefined]));
  });

  it.each<[string, object | string | Buffer, object]>([
    ["no JSON", "{", { message: expect.stringContaining("A frame must be") }],
    ["no object", "[]", { message: expect.stringContaining("A frame must be") }],
    ["bytes", Buffer.from("{}"), { message: expect.stringContaining("A frame must be") }],
    ["another type", { type: "response.cancel" }, { param: "type", message: /"response.cancel"/ }],
    ["no type", {}, { param: "type", message: /absent/ }],
    ["a lane that is no text", { type: "response.create", stream_id: 1 }, { param: "stream_id" }],
    ["another generate", { type: "response.create", generate: "no" }, { param: "generate" }],
    ["a wish for the background", { type: "response.create", background: true }, { param: "background" }],
    ["no model", { type: "response.create", input: "Hi" }, { param: "model" }],
  ])("tells what is wrong with a frame with %s, and goes on", async (_, frame, error) => {
    const { gateway } = await startSocketGateway();
    const client = await dial(gateway);
    client.send(frame);
    const told = (await client.event()) as { error: { message: string } };
    const { message, ...rest } = { message: expect.any(String), ...error } as { message: unknown };
    expect(told).toMatchObject({ type: "error", status: 400, error: { type: "invalid_request_error", ...rest } });
    if (message instanceof RegExp) expect(told.error.message).toMatch(message);
    else expect(told.error.message).toEqual(message);
    client.ask("Hi");
    expect(typesOf(await client.answer())).toContain("response.completed");
  });

  it("gives back what is to steer a response", async () => {
    const { gateway } = await startSocketGateway();
    const client = await dial(gateway);
    client.send({ type: "response.steer", previous_response_id: "resp_1", input: "Stop" });
    expect(await client.event()).toMatchObject({
      type: "response.steer.failed",
      steer: { previous_response_id: "resp_1", input: "Stop" },
      error: { code: "steering_not_supported" },
    });
  });

  it("tells of an answer that is an error, with when to come again, and of one that breaks off", async () => {
    let calls = 0;
    const { gateway } = await startSocketGateway((request, response) => {
      calls++;
      if (calls === 1) return json(response, 429, { error: { message: "Slow down." } }, { "retry-after": "7" });
      if (calls > 2) return answers(request, response, undefined as never);
      response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write(frames.slice(0, 2).join(""), () => response.destroy());
    });
    const client = await dial(gateway);
    client.ask("One", { stream_id: "s" });
    const headers = expect.objectContaining({ "retry-after": "7", "x-gateway-provider": "fireworks-ai" });
    expect(errorOf(await client.answer())).toMatchObject({
      status: 429,
      stream_id: "s",
      headers,
      error: { message: expect.stringContaining("Slow down."), headers },
    });
    client.ask("Two");
    // Once, though a stream says it with two events: the next one belongs to the next turn.
    expect(typesOf(await client.answer()).at(-1)).toBe("response.failed");
    client.ask("Three");
    expect(typesOf(await client.answer())).toContain("response.completed");
  });

  it("gives an answer up when its client leaves", async () => {
    let left = false;
    const { gateway, vendor } = await startSocketGateway(
      (_, response) => {
        response.on("close", () => {
          left = true;
        });
      },
      {},
      { "access-log": {} },
    );
    const client = await dial(gateway);
    client.ask("One");
    client.ask("Never sent");
    await eventually(() => expect(vendor.received).toHaveLength(1));
    client.socket.terminate();
    await eventually(() => expect(left).toBe(true));
    // The socket is over when all that was asked on it is.
    const asked = () => gateway.log.lines.map(({ fields }) => fields.method).filter((method) => method !== undefined);
    await eventually(() => expect(asked()).toContain("GET"));
    expect([asked(), vendor.received.length]).toEqual([["POST", "GET"], 1]);
  });

  it("has so many turns under way, and no more", async () => {
    const { gateway } = await startSocketGateway(() => undefined, { turns: 1 });
    const client = await dial(gateway);
    client.ask("One");
    client.ask("Two");
    expect(await client.event()).toMatchObject({ status: 429, error: { code: "rate_limit_exceeded" } });
  });

  it("forgets what is too long to be remembered", async () => {
    const { gateway } = await startSocketGateway(answers, { memoryBytes: 100 });
    const client = await dial(gateway);
    client.ask("One");
    client.ask("Two", { previous_response_id: idOf(await client.answer()) });
    const error = { code: "previous_response_not_found", param: "previous_response_id" };
    expect(errorOf(await client.answer())).toMatchObject({ status: 400, error });
  });

  it("is closed with 1001 when the gateway ends, after the turn under way", async () => {
    const begun: (() => void)[] = [];
    const { gateway } = await startSocketGateway((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frames[0]);
      begun.push(() => response.end(frames.slice(1).join("")));
    });
    const [idle, busy] = [await dial(gateway), await dial(gateway)];
    busy.ask("One");
    await eventually(() => expect(begun).toHaveLength(1));
    gateway.generation.leave("soon");
    expect((await idle.closed).code).toBe(1001);
    busy.ask("Two");
    begun[0]?.();
    const events = [...(await busy.answer()), ...(await busy.answer())];
    expect(typesOf(events)).toEqual(expect.arrayContaining(["error", "response.completed"]));
    expect((await busy.closed).code).toBe(1001);
  });
});

describe("an open socket", () => {
  it("has turns under way beside each other, and node warns of no leak", async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on("warning", warned);
    const { gateway, vendor } = await startSocketGateway(() => undefined);
    const client = await dial(gateway);
    for (let lane = 0; lane < 12; lane++) client.ask("Hi", { stream_id: `lane-${lane}` });
    await eventually(() => expect(vendor.received).toHaveLength(12));
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });

  it("is closed with 1001 when another config has taken its place, after the turn under way", async () => {
    const begun: (() => void)[] = [];
    const { gateway } = await startSocketGateway((request, response) => {
      begun.push(() => answers(request, response, undefined as never));
    });
    const [idle, busy] = [await dial(gateway), await dial(gateway)];
    busy.ask("One");
    await eventually(() => expect(begun).toHaveLength(1));
    expect(await gateway.reload()).toBe(true);
    const closed = { code: 1001, reason: expect.stringContaining("connect again") };
    expect(await idle.closed).toMatchObject(closed);
    begun[0]?.();
    expect(typesOf(await busy.answer())).toContain("response.completed");
    expect(await busy.closed).toMatchObject(closed);
  });
});

describe("a handshake for responses", () => {
  const handshake = {
    ...{ connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };

  it.each<[string, Record<string, string>, string]>([
    ["nobody's", handshake, "401"],
    ["that lacks a scope", { ...handshake, "x-test-principal": '{"id":"K","scopes":["logs.view"]}' }, "403"],
    ["of another version", { ...handshake, ...somebody, "sec-websocket-version": "7" }, "400"],
    ["that is none", somebody, "400"],
  ])("%s is refused", async (_, headers, status) => {
    const { gateway } = await startSocketGateway();
    expect(await raw(gateway.port, "GET", "/v1/responses", { connection: "close", ...headers })).toMatch(
      new RegExp(`^HTTP/1.1 ${status} `),
    );
  });

  it("of a browser says its key in a subprotocol, which holds for the turns", async () => {
    const { gateway, vendor } = await startSocketGateway(
      answers,
      {},
      {
        "auth-keys": { keys: [{ name: "browser", key: "key-of-the-browser-0123456789" }] },
        principal: undefined,
      },
    );
    const client = await dial(gateway, {}, ["realtime", "openai-insecure-api-key.key-of-the-browser-0123456789"]);
    expect(client.socket.protocol).toBe("realtime");
    client.ask("Hi");
    expect(typesOf(await client.answer())).toContain("response.completed");
    expect(JSON.stringify(vendor.received[0]?.headers)).not.toContain("key-of-the-browser");
  });
});
