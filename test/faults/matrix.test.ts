import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { startFreeGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { type Cell, type Delivery, faults, type Got } from "./matrix-cells.ts";
import { flapping, type MatrixVendor, refusing, startMatrixVendor } from "./matrix-vendor.ts";

const clients = {
  chat: { path: "/v1/chat/completions", asks: { messages: [{ role: "user", content: "Hi" }] }, end: "[DONE]" },
  messages: {
    path: "/v1/messages",
    asks: { max_tokens: 9, messages: [{ role: "user", content: "Hi" }] },
    end: "message_stop",
  },
  completions: { path: "/v1/completions", asks: { prompt: "Hi" }, end: "[DONE]" },
} as const;

type ClientName = keyof typeof clients;

let vendor: MatrixVendor;
let gateway: TestGateway;
const printed: string[][] = [];

beforeAll(async () => {
  const behaviours = Object.fromEntries(faults.map(({ behaviour }, at) => [`fault-${at}`, behaviour]));
  vendor = await startMatrixVendor({ ...behaviours, flapping: flapping(refusing(503, "overloaded")) });
  const provider = (slug: string) => ({ use: "openai", apiKey: `${slug}-key-0123`, baseUrl: `${vendor.url}/${slug}` });
  gateway = await startFreeGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "strategy-fallback": {},
        "stream-resume": {},
        retry: {},
        "format-openai-chat": {},
        "format-openai-completions": {},
        "format-anthropic-messages": {},
      },
      providers: { alpha: provider("alpha"), beta: provider("beta") },
    }),
  );
});

afterAll(async () => {
  await gateway.shutdown(0, 0);
  vendor.close();
  process.stdout.write(`\n${tableOf(printed)}\n`);
});

async function ask(client: ClientName, stream: boolean, model: string, config: object) {
  const { path, asks } = clients[client];
  const { status, body } = await call(
    gateway.url + path,
    {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gateway-provider": "",
        "x-gateway-config": JSON.stringify(config),
        "x-gateway-resume": "restart",
        connection: "close",
      },
    },
    JSON.stringify({ model, stream, ...asks }),
  );
  return { got: reading(client, stream, status, body.toString()), text: body.toString() };
}

/** What a client makes of its answer. A stream that does not say how it ended has no place here. */
function reading(client: ClientName, stream: boolean, status: number, text: string): Got {
  if (status !== 200) {
    expect(JSON.parse(text), text).toMatchObject({ error: { message: expect.any(String) } });
    return status;
  }
  if (!stream) {
    expect(text).toMatch(/all of it|from beta/);
    return "complete";
  }
  const { end } = clients[client];
  const ends = text.split(end).length - 1;
  const isBroken = /"error": ?\{/.test(text);
  expect(isBroken ? ends === 0 : ends > 0 && text.trimEnd().split("\n").at(-1)?.includes(end), text).toBe(true);
  if (isBroken) return "broken";
  const [, again] = text.split("event: gateway-restart");
  expect(again ?? text).toMatch(client === "messages" || again ? /all|beta/ : /all |from beta|all of it/);
  return again === undefined ? "complete" : "restarted";
}

const configFor = (target: object, hasFallback: boolean) => {
  const alpha = { provider: "@alpha", stream_resume: "restart", ...target };
  return hasFallback ? { strategy: { mode: "fallback" }, targets: [alpha, { provider: "@beta" }] } : alpha;
};

let asked = 0;

describe.each(faults.map((one, at) => ({ ...one, at })))("$fault", ({ fault, at, target = {}, ...expected }) => {
  const cells = (["alone", "withFallback"] as const).flatMap((surroundings) =>
    (["whole", "streamed"] as const).flatMap((delivery: Delivery) =>
      (Object.keys(clients) as ClientName[]).map((client) => ({
        client,
        delivery,
        surroundings,
        cell: expected[surroundings][delivery],
      })),
    ),
  );
  it.concurrent.each(cells)("$client, $delivery, $surroundings", async ({ client, delivery, surroundings, cell }) => {
    if (!cell) throw new Error("every cell is filled in");
    const model = `fault-${at}/${asked++}`;
    const config = configFor(target, surroundings === "withFallback");
    const { got, text } = await ask(client, delivery === "streamed", model, config);
    printed.push([fault, client, delivery, surroundings, told(cell)]);
    expect({ got, ...vendor.calls(model) }, text).toEqual(cell);
    expect((await ask(client, delivery === "streamed", `healthy/${asked++}`, { provider: "@beta" })).got).toBe(
      "complete",
    );
  });
});

describe("a vendor that fails every other call", () => {
  it.each(Object.keys(clients) as ClientName[])("is not noticed by clients of %s behind a fallback", async (client) => {
    for (const stream of [false, true]) {
      const model = `flapping/${asked++}`;
      const answers: Got[] = [];
      for (let time = 0; time < 20; time++) answers.push((await ask(client, stream, model, configFor({}, true))).got);
      expect(new Set(answers)).toEqual(new Set(["complete"]));
      expect(vendor.calls(model)).toEqual({ alpha: 20, beta: 10 });
      printed.push([
        "flapping",
        client,
        stream ? "streamed" : "whole",
        "withFallback",
        "20 × complete, 20 + 10 calls",
        "",
      ]);
    }
  });

  it("shows each failure without one", async () => {
    const model = `flapping/${asked++}`;
    const answers: Got[] = [];
    for (let time = 0; time < 4; time++) answers.push((await ask("chat", true, model, configFor({}, false))).got);
    expect(answers).toEqual([503, "complete", 503, "complete"]);
  });
});

it("leaves nothing under way", async () => {
  await eventually(() => expect(gateway.generation.active).toBe(0));
});

const told = ({ got, alpha, beta }: Cell) => `${got}, ${alpha} + ${beta} calls`;

function tableOf(rows: readonly string[][]): string {
  const lines = [["fault", "client", "delivery", "targets", "the client gets, calls of first + second"], ...rows];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ")).join("\n");
}
