import { describe, expect, it } from "vitest";
import { sampleOf } from "./sample.ts";
import { ask, askStream, send, simulator } from "./testing.ts";
import type { Wire } from "./wire.ts";

const vectorsOf = (wire: Wire) => (wire.data as { embedding: number[] | string }[]).map(({ embedding }) => embedding);

const lengthOf = (vector: number[] | string | undefined) => Math.hypot(...(vector as number[]));

describe("embeddings", () => {
  it("gives equal texts equal vectors of length one, and others others", async () => {
    const [one, same, other] = vectorsOf(await ask("/embeddings", { model: "m", input: ["a", "a", "b"] }));
    expect(one).toHaveLength(8);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(lengthOf(one)).toBeCloseTo(1, 6);
  });

  it("makes vectors as long as asked", async () => {
    const [vector] = vectorsOf(await ask("/embeddings", { model: "m", input: [1, 2, 3], dimensions: 100 }));
    expect(vector).toHaveLength(100);
    expect(lengthOf(vector)).toBeCloseTo(1, 6);
  });

  it("writes the same numbers as base64", async () => {
    const body = { model: "m", input: "a" };
    const [text] = vectorsOf(await ask("/embeddings", { ...body, encoding_format: "base64" }));
    const bytes = Buffer.from(String(text), "base64");
    const numbers = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
    expect(vectorsOf(await ask("/embeddings", body))[0]).toEqual(numbers);
  });

  it.each([{ input: [] }, {}, { input: "a", dimensions: 0 }])("refuses %o", async (body) => {
    expect((await send(simulator(), "/embeddings", body).over).status).toBe(400);
  });
});

describe("text completions", () => {
  const textsOf = (wire: Wire) => (wire.choices as Wire[]).map(({ text }) => text);

  it("completes each prompt as often as asked", async () => {
    const wire = await ask("/completions", { model: "m", prompt: ["a", "b"], n: 2 });
    expect(textsOf(wire)).toEqual([
      "Simulated answer from m: a",
      "Simulated answer from m: a (choice 2)",
      "Simulated answer from m: b",
      "Simulated answer from m: b (choice 2)",
    ]);
    expect(wire.choices).toMatchObject([{ logprobs: null, finish_reason: "stop", index: 0 }, {}, {}, { index: 3 }]);
  });

  it("echoes the prompt, and knows what is to follow", async () => {
    const wire = await ask("/completions", { model: "m", prompt: "a ", suffix: "z", echo: true });
    expect(textsOf(wire)).toEqual(["a Simulated answer from m: a (before: z)"]);
  });

  it("streams the same text, with usage when asked", async () => {
    const body = { model: "m", prompt: "a b", max_tokens: 3, stream_options: { include_usage: true } };
    const events = await askStream("/completions", body);
    expect(events.at(-1)?.data).toBe("[DONE]");
    const frames = events.slice(0, -1).map(({ data }) => JSON.parse(data));
    const text = frames.map(({ choices: [choice] }) => choice?.text ?? "").join("");
    expect([text]).toEqual(textsOf(await ask("/completions", body)));
    expect(frames.at(-2).choices[0].finish_reason).toBe("length");
    expect(frames.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    });
  });
});

describe("other paths", () => {
  it("lists its models", async () => {
    const { frames } = await send(simulator(), "/models", undefined, { method: "GET" }).over;
    expect(JSON.parse(frames.join("")).data[0]).toMatchObject({ id: "simulated-small", object: "model" });
  });

  it("tells of one of them, whatever its name", async () => {
    const { frames } = await send(simulator(), "/models/demo-1.5", undefined, { method: "GET" }).over;
    expect(JSON.parse(frames.join(""))).toMatchObject({ id: "demo-1.5", object: "model", owned_by: "simulator" });
  });

  it("shows a request back, without what is confidential", async () => {
    const headers = { authorization: "Bearer k", "x-api-key": "k", accept: "*/*" };
    const { frames } = await send(simulator(), "/files?limit=2", "hello", { method: "PUT", headers }).over;
    expect(JSON.parse(frames.join(""))).toEqual({
      method: "PUT",
      path: "/files?limit=2",
      headers: { authorization: "[hidden]", "x-api-key": "[hidden]", accept: "*/*" },
      bodyLength: 5,
      body: Buffer.from("hello").toString("base64"),
    });
  });
});

describe("refusals", () => {
  it.each<[string, string, unknown, object]>([
    ["what is no JSON", "/chat/completions", "{", { error: { type: "invalid_request_error", param: null } }],
    ["a chat without messages", "/chat/completions", { messages: [] }, { error: { message: /messages/ } }],
    [
      "a message without max_tokens",
      "/messages",
      { messages: [{}] },
      { type: "error", error: { type: "invalid_request_error" } },
    ],
    [
      "a tool that is not there",
      "/chat/completions",
      { messages: [{}], tools: [{ function: { name: "a" } }], tool_choice: { function: { name: "b" } } },
      { error: { type: "invalid_request_error" } },
    ],
  ])("answers %s with 400, as the vendor would", async (_what, path, body, expected) => {
    const { status, frames } = await send(simulator(), path, body).over;
    expect(status).toBe(400);
    const { error, ...rest } = expected as { error: Record<string, unknown> };
    const { message, ...fields } = error;
    expect(JSON.parse(frames.join(""))).toMatchObject({ ...rest, error: fields });
    if (message instanceof RegExp) expect(frames.join("")).toMatch(message);
  });

  it("refuses a format it is told not to speak", async () => {
    const transport = simulator({ formats: ["anthropic-messages"] });
    const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] };
    expect((await send(transport, "/chat/completions", body).over).status).toBe(404);
    expect((await send(transport, "/messages", body).over).status).toBe(200);
  });
});

it.each<[unknown, unknown]>([
  [{ type: "string" }, "sample"],
  [{ type: ["null", "number"] }, 1],
  [{ type: "integer", minimum: 5 }, 5],
  [{ type: "number", maximum: 0 }, 0],
  [{ type: "array", items: { type: "boolean" } }, [true]],
  [{ enum: ["b", "a"] }, "b"],
  [{ const: 7 }, 7],
  [{ anyOf: [{ type: "null" }, { type: "string" }] }, null],
  [{ allOf: [{ type: "object" }, { required: ["a"] }] }, { a: "sample" }],
  [{ properties: { a: { $ref: "#/$defs/A" }, b: {} }, required: ["a"], $defs: { A: { type: "integer" } } }, { a: 1 }],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, ["sample", 1]],
  [undefined, null],
])("samples %o as %o", (schema, value) => {
  expect(sampleOf(schema)).toEqual(value);
});

it("comes to an end with a schema that is made of itself", () => {
  const schema = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] };
  expect(JSON.stringify(sampleOf(schema))).toContain("null");
});

describe("images", () => {
  it("are pixels, or addresses where that is asked for", async () => {
    const data = async (more: object) =>
      (await ask("/images/generations", { prompt: "a cat", ...more })).data as Wire[];
    expect(await data({ n: 2 })).toMatchObject([{ revised_prompt: "a cat" }, {}]);
    expect((await data({}))[0]?.b64_json).toMatch(/^iVBOR/);
    expect((await data({ response_format: "url" }))[0]?.url).toMatch(/^https:.*-0\.png$/);
  });

  it("are refused without a prompt", async () => {
    expect((await send(simulator(), "/images/generations", { n: 1 }).over).status).toBe(400);
  });
});

describe("moderations", () => {
  it("flag texts for what they name", async () => {
    const { results } = await ask("/moderations", { input: ["peace", "violence/graphic"] });
    const [calm, grave] = results as (Wire & { categories: Wire })[];
    expect([calm?.flagged, grave?.flagged]).toEqual([false, true]);
    expect(grave?.categories).toMatchObject({ violence: true, "violence/graphic": true, hate: false });
  });

  it("are refused without an input", async () => {
    expect((await send(simulator(), "/moderations", {}).over).status).toBe(400);
  });
});
