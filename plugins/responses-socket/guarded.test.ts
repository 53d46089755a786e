import { describe, expect, it } from "vitest";
import { eventually } from "../../test/support/calm.ts";
import { answers, conversationIn, dial, type Event, startSocketGateway } from "./testing.ts";

const idOf = (events: readonly Event[]): unknown => events.at(-1)?.response?.id;

const guards = {
  checks: {},
  guardrails: {},
  routing: {
    default: "oai",
    configs: {
      guarded: {
        provider: "@oai",
        input_guardrails: [
          { "default.regexReplace": { rule: "zebra", redactText: "####" } },
          { contains: { words: ["gin"], operator: "none" }, deny: true },
        ],
      },
    },
  },
};

const startGuarded = async () => {
  const started = await startSocketGateway(answers, {}, guards);
  return { ...started, client: await dial(started.gateway, { ...somebodyGuarded }) };
};
const somebodyGuarded = { "x-test-principal": JSON.stringify({ id: "K1" }), "x-gateway-config": "guarded" };

describe("a socket for responses, guarded,", () => {
  it("says again what went on, and not what was taken out of it", async () => {
    const { vendor, client } = await startGuarded();
    client.ask("my zebra");
    client.ask("hi", { previous_response_id: idOf(await client.answer()) });
    await client.answer();
    const said = ["user: my ####", "assistant: Hello there", "user: hi"];
    expect(vendor.received.map(conversationIn)).toEqual([said.slice(0, 1), said]);
  });

  it("looks at what is only prepared", async () => {
    const { vendor, client } = await startGuarded();
    client.ask("some gin", { generate: false });
    expect((await client.answer()).at(-1)).toMatchObject({
      type: "error",
      status: 446,
      error: { type: "hooks_failed" },
    });
    client.ask("my zebra", { generate: false });
    client.ask("hi", { previous_response_id: idOf(await client.answer()) });
    await client.answer();
    expect(vendor.received.map(conversationIn)).toEqual([["user: my ####", "user: hi"]]);
  });

  it("refuses an input that is none, also where it goes on from what is remembered", async () => {
    const { vendor, client } = await startGuarded();
    client.ask("One");
    const first = idOf(await client.answer());
    for (const more of [{ previous_response_id: first }, { generate: false }]) {
      client.ask(7, more);
      expect((await client.answer()).at(-1)).toMatchObject({ status: 400, error: { param: "input" } });
    }
    expect(vendor.received).toHaveLength(1);
  });

  it("tells what POST tells in headers with the first event", async () => {
    const { client } = await startGuarded();
    client.ask("Hi", { truncation: "auto" });
    const [first] = await client.answer();
    expect(first?.headers).toMatchObject({
      "x-gateway-provider": "fireworks-ai",
      "x-gateway-dropped-params": "truncation",
      "x-gateway-trace-id": expect.any(String),
    });
  });

  it("ends with 1001 where a newer config is in force, which decides about the next one", async () => {
    const { gateway } = await startSocketGateway();
    const client = await dial(gateway);
    gateway.write(JSON.stringify({ plugins: { routing: { default: "simulator" } }, providers: { simulator: {} } }));
    expect(await gateway.reload()).toBe(true);
    expect((await client.closed).code).toBe(1001);
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });

  it("is where the router takes its path for it", async () => {
    const { gateway, vendor } = await startSocketGateway();
    const client = await dial(gateway, undefined, [], {}, "/v1/responses/");
    client.ask("Hi");
    expect((await client.answer()).at(-1)?.type).toBe("response.completed");
    expect(vendor.received).toHaveLength(1);
  });

  it("does not listen to a client that takes nothing", async () => {
    const { gateway } = await startSocketGateway(answers, { bufferBytes: 10_000 });
    const client = await dial(gateway);
    client.socket.pause();
    const steer = { type: "response.steer", previous_response_id: "resp_1", input: "x".repeat(100_000) };
    for (let sent = 0; sent < 400; sent++) client.send(steer);
    // More than connections hold: what is left was not taken.
    await eventually(() => expect(client.socket.bufferedAmount).toBeGreaterThan(0));
    client.socket.resume();
    for (let told = 0; told < 400; told++) expect((await client.event()).type).toBe("response.steer.failed");
  });
});
