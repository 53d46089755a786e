import { describe, expect, it } from "vitest";
import type { Fields } from "../../core/index.ts";
import { watched } from "../support/watched-records.ts";
import { Deployment, type World } from "./deployment.ts";

const leaf = (provider: string, model = "answers") => ({ provider: `@${provider}`, override_params: { model } });

/** Makes a response; what came, and what the vendor was sent last. */
async function made(world: World, body: Fields, config: Fields = leaf("chats")) {
  const sending = { method: "POST", path: "/v1/responses", body: { model: "m", ...body } };
  const { answer, calls } = await world.send(0, config, sending);
  const messages = calls.at(-1)?.body.messages as { role: string }[] | undefined;
  const roles = messages?.map(({ role }) => role);
  return { ...answer, id: String(answer.body.id), output: answer.body.output as Fields[], roles };
}

async function told(world: World, method: string, path: string) {
  const { answer } = await world.send(0, leaf("chats"), { method, path: `/v1/responses/${path}` });
  return { status: answer.status, body: answer.body };
}

const start = async () => (await Deployment.start()).world();

describe("a kept response", () => {
  it("is gone on from with results behind the turn that called, whatever is said before them", async () => {
    const world = await start();
    const first = await made(world, { input: "Look." }, leaf("chats", "calls"));
    const [call] = first.output.filter(({ type }) => type === "function_call");
    const result = { type: "function_call_output", call_id: call?.call_id, output: "here" };
    const input = [{ role: "user", content: "Here it is." }, result];
    const { roles } = await made(world, { input, previous_response_id: first.id });
    expect(roles).toEqual(["user", "assistant", "tool", "user"]);
  });

  it("is counted with what is to go on from it, and a count is nothing to go on from", async () => {
    const world = await start();
    const { id } = await made(world, { input: "Look." }, leaf("claude"));
    const count = async (body: Fields) => {
      const sending = {
        method: "POST",
        path: "/v1/responses/input_tokens",
        body: { model: "m", input: "Hi.", ...body },
      };
      const { answer } = await world.send(0, leaf("claude"), sending);
      return { status: answer.status, body: answer.body };
    };
    const told = (tokens: number) => ({ object: "response.input_tokens", input_tokens: tokens });
    expect(await count({})).toEqual({ status: 200, body: told(1) });
    expect(await count({ previous_response_id: id })).toEqual({ status: 200, body: told(3) });
    const reference = {
      type: "item_reference",
      id: (await made(world, { input: "Look." }, leaf("claude"))).output[0]?.id,
    };
    expect(await count({ input: [reference, { role: "user", content: "Hi." }] })).toEqual({
      status: 200,
      body: told(2),
    });
    expect(await count({ previous_response_id: `${id}9` })).toMatchObject({ status: 400 });
  });

  it("is not streamed again, which says nothing instead of all", async () => {
    const world = await start();
    const { id } = await made(world, { input: "Look." });
    expect(await told(world, "GET", `${id}?stream=false`)).toMatchObject({ status: 200, body: { id } });
    expect(await told(world, "GET", `${id}?stream=true`)).toMatchObject({
      status: 400,
      body: { error: { param: "stream", message: expect.stringContaining("background") } },
    });
  });

  it("has the results of calls that are only referred to behind them as well", async () => {
    const world = await start();
    const { output } = await made(world, { input: "Look." }, leaf("chats", "calls"));
    const calls = output.filter(({ type }) => type === "function_call");
    const references = output.map(({ id }) => ({ type: "item_reference", id }));
    const results = calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: "here" }));
    const input = [...references, { role: "user", content: "Here it is." }, ...results];
    const { roles } = await made(world, { input });
    expect(roles).toEqual(["assistant", ...results.map(() => "tool"), "user"]);
  });

  it.each([false, true])("calls what was found before it by its group, streamed: %j", async (stream) => {
    const world = await start();
    const search = { type: "tool_search", execution: "client" };
    const inner = { type: "function", name: "get", parameters: { type: "object" } };
    const tools = [{ type: "namespace", name: "crm", description: "Customers.", tools: [inner] }];
    const first = await made(world, { input: "Look.", tools: [search] }, leaf("chats", "calls"));
    const results = first.output
      .filter(({ type }) => type === "tool_search_call")
      .map(({ call_id }) => ({ type: "tool_search_output", call_id, execution: "client", tools }));
    const second = await made(world, { input: results, tools: [search], previous_response_id: first.id });
    const asked = { input: "Go on.", tools: [search], previous_response_id: second.id };
    const sending = { method: "POST", path: "/v1/responses", body: { model: "m", stream, ...asked } };
    const { answer } = await world.send(0, leaf("chats", "calls"), sending);
    const response = (answer.events?.at(-1)?.response ?? answer.body) as Fields;
    const called = (output: unknown) => (output as Fields[]).filter(({ type }) => type === "function_call");
    const expected = { name: "get", namespace: "crm" };
    expect(called(response.output)[0]).toMatchObject(expected);
    const { body } = await told(world, "GET", String(response.id));
    expect(called(body.output)[0]).toMatchObject(expected);
  });

  it.each([
    ["an answer that was not the client's came before it", [200], ["answers", "answers"]],
    ["a dozen others were asked before", undefined, [...Array.from({ length: 12 }, () => "fails"), "answers"]],
  ])("is what its items refer to where %s", async (_, on_status_codes, models) => {
    const world = await start();
    const targets = models.map((model) => leaf("chats", model));
    for (const stream of [false, true]) {
      const sending = { method: "POST", path: "/v1/responses", body: { model: "m", input: "One", stream } };
      const strategy = { mode: "fallback", ...(on_status_codes && { on_status_codes }) };
      const { answer, calls } = await world.send(0, { strategy, targets }, sending);
      expect(calls).toHaveLength(models.length);
      const told = (answer.events?.at(-1)?.response ?? answer.body) as Fields;
      const references = (told.output as Fields[]).map(({ id }) => ({ type: "item_reference", id }));
      const again = { ...sending, body: { model: "m", input: [...references, { role: "user", content: "Two" }] } };
      const [sent] = (await world.send(0, leaf("chats"), again)).calls;
      expect(sent?.body.messages).toEqual([
        { role: "assistant", content: calls.at(-1)?.said?.text },
        { role: "user", content: "Two" },
      ]);
    }
  });

  it("is one turn with what the client has said for the model before it", async () => {
    const world = await start();
    const first = await made(world, { input: [{ role: "assistant", content: "I say:" }] });
    const { roles } = await made(world, { input: "And?", previous_response_id: first.id }, leaf("claude"));
    expect(roles).toEqual(["assistant", "user"]);
  });

  it("says what it went on from where it is not kept itself", async () => {
    const world = await start();
    const first = await made(world, { input: "One" });
    const { body, id } = await made(world, { input: "Two", previous_response_id: first.id, store: false });
    expect(body).toMatchObject({ store: false, previous_response_id: first.id });
    expect((await told(world, "GET", id)).status).toBe(404);
  });

  it.each([
    [{ store: false }, undefined, 404],
    [{ store: true }, false, 200],
  ])("is kept as the config says with %j", async (overrides, store, status) => {
    const world = await start();
    const config = { provider: "@chats", override_params: { model: "answers", ...overrides } };
    const { id } = await made(world, { input: "One", store }, config);
    expect((await told(world, "GET", id)).status).toBe(status);
  });

  it("is deleted under its id in any spelling", async () => {
    const world = await start();
    const { id } = await made(world, { input: "One" });
    const deleted = { id, object: "response", deleted: true };
    expect((await told(world, "DELETE", id.replace("_", "%5F"))).body).toEqual(deleted);
    expect((await told(world, "GET", id)).status).toBe(404);
  });
});

it("is kept for a vendor that keeps those of other models only", async () => {
  const world = await start();
  const mixed = leaf("mixed", "anthropic.claude-sonnet-4-5");
  const first = await made(world, { input: "One" }, mixed);
  expect((await made(world, { input: "Two", previous_response_id: first.id }, mixed)).roles).toHaveLength(3);
});

it.each([
  ["drips", 200, 200],
  ["cuts", 404, 400],
])("is waited for by those who go on from it before it is whole: one that %s", async (model, found, goneOn) => {
  const world = await start();
  const asked: Promise<readonly number[]>[] = [];
  const begun = (id: string) => {
    if (asked.length > 0) return;
    const followUp = { input: "Two", previous_response_id: id };
    asked.push(
      Promise.all([told(world, "GET", id), made(world, followUp)]).then((all) => all.map(({ status }) => status)),
    );
  };
  const body = { model: "m", input: "One", stream: true };
  await world.send(0, leaf("chats", model), { method: "POST", path: "/v1/responses", body, begun });
  expect(await asked[0]).toEqual([found, goneOn]);
});

it.each([false, true])("says what was asked about where it is from the cache, streamed: %j", async (stream) => {
  const world = await start();
  const caching = { ...leaf("chats"), cache: { mode: "simple" } };
  const ask = async (previous_response_id?: string) => {
    const body = { model: "m", input: "One", stream, ...(previous_response_id && { previous_response_id }) };
    const { answer } = await world.send(0, caching, { method: "POST", path: "/v1/responses", body }, false);
    await world.deployment.calm();
    const told = (answer.events?.map(({ response }) => response) ?? [answer.body]).filter((one) => one !== undefined);
    return {
      status: answer.headers["x-gateway-cache-status"],
      told: told as Fields[],
      id: String((told[0] as Fields).id),
    };
  };
  const [first, second] = [await ask(), await ask()];
  await ask(first.id);
  const { status, told } = await ask(second.id);
  expect([second.status, status]).toEqual(["HIT", "HIT"]);
  for (const one of told) expect(one).toMatchObject({ store: true, previous_response_id: second.id });
});

describe("the items of a kept response", () => {
  it("are written out as the vendor's own", async () => {
    const world = await start();
    const first = await made(world, { input: [{ role: "assistant", content: "Hi" }] }, leaf("chats", "calls"));
    const [call] = first.output.filter(({ type }) => type === "function_call");
    const input = [{ type: "function_call_output", call_id: call?.call_id, output: "here" }];
    const { id } = await made(world, { input, previous_response_id: first.id });
    const { data } = (await told(world, "GET", `${id}/input_items`)).body as { data: Fields[] };
    const content = [{ type: "output_text", text: "Hi", annotations: [] }];
    expect(data[0]).toMatchObject({ type: "message", role: "assistant", status: "completed", content });
    expect(data.at(-1)).toMatchObject({ type: "function_call_output", status: "completed" });
  });

  it("have an id each, where one is said again as well", async () => {
    const world = await start();
    const first = await made(world, { input: "One" });
    const { id } = await made(world, { input: first.output, previous_response_id: first.id });
    const { data } = (await told(world, "GET", `${id}/input_items`)).body as { data: Fields[] };
    expect(new Set(data.map((item) => item.id)).size).toBe(3);
  });

  it("are what the model was given: nothing that it was not, nor is that told to be lost later on", async () => {
    const world = await start();
    const reference = { type: "item_reference", id: `msg_${"0".repeat(32)}_0` };
    const first = await made(world, { input: [{ role: "user", content: "One" }, reference] });
    expect(first.headers["x-gateway-dropped-params"]).toContain("item_reference");
    const second = await made(world, { input: "Two", previous_response_id: first.id });
    expect(second.headers["x-gateway-dropped-params"] ?? "").not.toContain("item_reference");
    const { data } = (await told(world, "GET", `${second.id}/input_items`)).body as { data: Fields[] };
    expect(data.map(({ type }) => type)).toEqual(["message", "message", "message"]);
  });
});

describe("a response that is not kept", () => {
  it.each(["", "x".repeat(300), "a\nb", "\ud800"])("is not gone on from: %j", async (id) => {
    const { status, body } = await made(await start(), { input: "One", previous_response_id: id });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ param: "previous_response_id" }) }),
    ]);
  });

  it.each(["%0a", "x".repeat(300)])("is not found: %s", async (id) => {
    expect((await told(await start(), "GET", id)).status).toBe(404);
  });

  it("may be kept, as far as anybody knows, while the store is away", async () => {
    const world = await start();
    const { id } = await made(world, { input: "One" });
    watched.down = true;
    expect((await told(world, "GET", id)).status).toBe(503);
    const asked = { input: "Two", previous_response_id: id };
    expect((await made(world, asked)).status).toBe(503);
    const targets = [leaf("chats"), leaf("native")];
    expect((await made(world, asked, { strategy: { mode: "fallback" }, targets })).status).toBe(503);
    watched.down = false;
    expect((await told(world, "GET", id)).status).toBe(200);
  });
});
