import { describe, expect, it } from "vitest";
import { requestFor } from "../../../core/pipeline/attempt/unified-attempt.ts";
import { startRouting } from "../testing.ts";

const config = {
  default_params: { temperature: 0.2, max_tokens: 500 },
  override_params: { user: "svc" },
  drop_params: ["logprobs"],
  strategy: { mode: "fallback" },
  targets: [
    { provider: "@a", default_params: { max_tokens: 900 }, drop_params: ["tools[*].function.strict"] },
    { provider: "@b", override_params: { model: "b-1", user: "svc-b" } },
  ],
};
const body = {
  model: "m",
  temperature: 1,
  logprobs: true,
  user: "u1",
  tools: [{ type: "function", function: { name: "f", strict: true } }],
  messages: [],
};

async function sent(of: unknown, client: Record<string, unknown> = body): Promise<unknown[]> {
  const { targets, exchange } = await (await startRouting()).ask({ config: of, body: client, statuses: [500] });
  return targets.map((target) => JSON.parse(String(requestFor(exchange, target).ownBytes)));
}

describe("the body of a leaf", () => {
  it.each([
    ["an override turns the stream off", { override_params: { stream: false } }, { model: "m", stream: false }],
    ["the stream is dropped", { drop_params: ["stream"] }, { model: "m" }],
    [
      "the stream stays",
      { override_params: { stream: true } },
      { model: "m", stream: true, stream_options: { include_usage: true } },
    ],
  ])("has no options of a stream where there is none any more: %s", async (_, fields, expected) => {
    const client = { model: "m", stream: true, stream_options: { include_usage: true } };
    expect(await sent({ provider: "@a", ...fields }, client)).toEqual([expected]);
  });

  it("keeps what a client says of a stream that it has not asked for: that is its vendor's to judge", async () => {
    const client = { model: "m", stream_options: { include_usage: true } };
    expect(await sent({ provider: "@a", override_params: { user: "u" } }, client)).toEqual([{ ...client, user: "u" }]);
  });

  it("is the one of the reference's example", async () => {
    expect(await sent(config)).toEqual([
      {
        model: "m",
        temperature: 1,
        max_tokens: 900,
        user: "svc",
        tools: [{ type: "function", function: { name: "f" } }],
        messages: [],
      },
      {
        model: "b-1",
        temperature: 1,
        max_tokens: 500,
        user: "svc-b",
        tools: [{ type: "function", function: { name: "f", strict: true } }],
        messages: [],
      },
    ]);
  });

  it.each<[string, object, object, object]>([
    ["null counts as sent", { default_params: { n: 1 } }, { n: null }, { n: null }],
    ["a default fills in", { default_params: { n: 1 } }, {}, { n: 1 }],
    ["an override wins", { override_params: { n: 2 } }, { n: 1 }, { n: 2 }],
    ["an override beats a default", { default_params: { n: 1 }, override_params: { n: 2 } }, {}, { n: 2 }],
    ["objects are replaced", { override_params: { o: { b: 1 } } }, { o: { a: 1 } }, { o: { b: 1 } }],
    [
      "metadata is merged",
      { override_params: { metadata: { b: 1 } } },
      { metadata: { a: 1 } },
      { metadata: { a: 1, b: 1 } },
    ],
    [
      "metadata is merged at every depth",
      { override_params: { metadata: { a: { c: 1 }, b: 1 } } },
      { metadata: { a: { c: 0, d: 2 }, b: { e: 3 } } },
      { metadata: { a: { c: 1, d: 2 }, b: 1 } },
    ],
    ["what is overridden may be dropped", { override_params: { n: 2 }, drop_params: ["n"] }, {}, {}],
  ])("%s", async (_, shaping, client, expected) => {
    expect(await sent({ provider: "@a", ...shaping }, { model: "m", ...client })).toEqual([
      { model: "m", ...expected },
    ]);
  });

  it("stays as it came where only the model changes", async () => {
    const routing = await startRouting();
    const { targets } = await routing.ask({ config: { provider: "@a", override_params: { model: "m-2" } } });
    expect(targets).toEqual([expect.objectContaining({ model: "m-2" })]);
    expect(targets[0]).not.toHaveProperty("shape");
  });

  it("gets the model even where the client sent none", async () => {
    const of = { override_params: { model: "@a/m-2" } };
    expect(await sent(of, { messages: [] })).toEqual([{ messages: [], model: "m-2" }]);
  });
});
