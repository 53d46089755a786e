import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import type { TestGateway } from "../support/gateway.ts";
import { chunk } from "../support/two-vendors.ts";
import { startUpstream } from "../support/upstream.ts";
import { broken, complete, expectAnswer, refused } from "./reading.ts";
import { ask, startWayward } from "./wayward.ts";

/** What a tap may get wrong, as a statement; HOOK is the hook's name. */
const wrongs = {
  "throws in a synchronous tap": 'hooks.HOOK.tap("own", () => { throw new Error("out of order"); });',
  "rejects in a promise": 'hooks.HOOK.tapPromise("own", async () => { throw new Error("out of order"); });',
  "throws where a promise is due, behind a tap that took its time":
    'hooks.HOOK.tapPromise("first", (value) => new Promise((done) => setImmediate(done, FIRST)));' +
    'hooks.HOOK.tapPromise("own", () => { throw new Error("out of order"); });',
  "throws instead of calling back": 'hooks.HOOK.tapAsync("own", () => { throw new Error("out of order"); });',
  "calls back with an error": 'hooks.HOOK.tapAsync("own", (...args) => args.at(-1)(new Error("out of order")));',
  "throws what is no error": 'hooks.HOOK.tap("own", () => { throw "out of order"; });',
  "gives a promise that never settles": 'hooks.HOOK.tapPromise("own", () => new Promise(() => {}));',
  "gives something like a promise that never settles": 'hooks.HOOK.tapPromise("own", () => ({ then() {} }));',
  "gives a promise in a synchronous tap":
    'hooks.HOOK.tap("own", async () => { throw new Error("unheard"); });' +
    'hooks.HOOK.tap("next", (value) => value && undefined);',
  "never calls back": 'hooks.HOOK.tapAsync("own", () => {});',
} as const;

const asynchronous = ["auth", "routeSelect", "beforeRequest", "afterRequest", "cost"] as const;
const clients = ["openai", "anthropic"] as const;

/** What the tap before gives, so that the wrong one has its turn: a bail hook goes on behind nothing only. */
const given = {
  auth: "undefined",
  routeSelect: "undefined",
  beforeRequest: "value",
  afterRequest: "value",
  cost: "undefined",
};
const server = "{ hookDeadline: 80 }";
const reason = (hook: string) =>
  new RegExp(
    `^\\[plugin wayward\\] ${hook}: (?:out of order|did not settle within 80 ms|a tap\\(\\) gave a promise: use tapPromise\\(\\))$`,
  );

const start = (hook: (typeof asynchronous)[number], wrong: keyof typeof wrongs) =>
  startWayward({ taps: wrongs[wrong].replaceAll("HOOK", hook).replace("FIRST", given[hook]), server });

/** The error a log line holds, under a message. */
const logged = (gateway: TestGateway, message: string): string[] =>
  gateway.log.lines
    .filter((line) => line.message === message)
    .map(({ fields }) => ("error" in fields && fields.error instanceof Error ? fields.error.message : ""));

const cells = asynchronous.flatMap((hook) =>
  (Object.keys(wrongs) as (keyof typeof wrongs)[]).flatMap((wrong) =>
    clients.map((client) => ({ hook, wrong, client })),
  ),
);

describe.each(cells.filter(({ hook }) => hook !== "cost"))("a tap on $hook that $wrong", ({ hook, wrong, client }) => {
  it.each([false, true])(`is named in a 500 for a client of ${client} (stream: %s)`, async (stream) => {
    const gateway = await start(hook, wrong);
    const reading = await ask(gateway, { client, stream });
    if (hook === "afterRequest" && stream) {
      // The stream has been sent by then.
      expectAnswer(reading, complete, client, true);
      await eventually(() => {
        expect(logged(gateway, "stream could not be settled")).toEqual([expect.stringMatching(reason(hook))]);
        expect(gateway.log.lines.at(-1)).toMatchObject({
          message: "request",
          fields: { ending: "complete", status: 200 },
        });
      });
    } else {
      expectAnswer(
        reading,
        refused(500, "A", "gateway_error", { "x-gateway-gateway-exception": "true" }),
        client,
        stream,
      );
      expect(JSON.parse(reading.text).message).toMatch(reason(hook));
      await eventually(() =>
        expect(gateway.log.lines.at(-1)).toMatchObject({
          message: "request",
          fields: { ending: "error", status: 500 },
        }),
      );
    }
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });
});

describe.each(cells.filter(({ hook }) => hook === "cost"))("a tap on $hook that $wrong", ({ hook, wrong, client }) => {
  it(`is the log's business only, for a client of ${client}`, async () => {
    const gateway = await start(hook, wrong);
    for (const stream of [false, true]) expectAnswer(await ask(gateway, { client, stream }), complete, client, stream);
    await eventually(() => {
      const expected = expect.stringMatching(reason(hook));
      expect(logged(gateway, "cost hook failed")).toEqual([expected, expected]);
      expect(gateway.generation.active).toBe(0);
    });
  });
});

describe.each(asynchronous)("a tap on %s that calls back twice", (hook) => {
  it.each(clients)("is heard once, for a client of %s", async (client) => {
    const taps = `hooks.${hook}.tapAsync("own", (...args) => { const done = args.at(-1); done(); done(new Error("late")); setImmediate(done); });`;
    const gateway = await startWayward({ taps });
    for (const stream of [false, true]) expectAnswer(await ask(gateway, { client, stream }), complete, client, stream);
    await eventually(() => {
      expect(gateway.log.lines.filter(({ message }) => message === "request")).toHaveLength(2);
      expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
      expect(gateway.generation.active).toBe(0);
    });
  });
});

describe("a plugin that taps a hook twice", () => {
  it("is asked twice, in order", async () => {
    const add = (word: string) =>
      `hooks.afterRequest.tap("own", (answer) => ({ ...answer, headers: { "x-order": (answer.headers?.["x-order"] ?? "") + "${word}" } }));`;
    const gateway = await startWayward({ taps: add("a") + add("b") });
    const { headers } = await ask(gateway, { client: "openai" });
    expect(headers.get("x-order")).toBe("ab");
  });
});

describe.each(clients)("a tap on streamChunk that throws, for a client of %s", (client) => {
  const vendors = ["openai-simulator/m", "anthropic-simulator/m"];
  const throwing = (count: number) =>
    `let seen = 0; hooks.streamChunk.tap("own", (chunks) => { if (++seen > ${count}) throw new Error("out of order"); return chunks; });`;

  it.each(vendors)("at the first chunk is named in a 500 (%s)", async (model) => {
    const gateway = await startWayward({ taps: throwing(0) });
    const reading = await ask(gateway, { client, stream: true, model });
    expectAnswer(reading, refused(500, "A", "gateway_error", { "x-gateway-gateway-exception": "true" }), client, true);
    expect(JSON.parse(reading.text).message).toBe("[plugin wayward] streamChunk: out of order");
    await eventually(() => expect(gateway.generation.active).toBe(0));
  });

  it.each(vendors)("later on is named inside the stream, and logged (%s)", async (model) => {
    const gateway = await startWayward({ taps: throwing(4) });
    const reading = await ask(gateway, { client, stream: true, model });
    expectAnswer(reading, broken("gateway_error"), client, true);
    expect(reading.text).toContain("[plugin wayward] streamChunk: out of order");
    await eventually(() => {
      expect(logged(gateway, "stream failed")).toEqual(["[plugin wayward] streamChunk: out of order"]);
      expect(gateway.log.lines.at(-1)).toMatchObject({ message: "request", fields: { ending: "truncated" } });
      expect(gateway.generation.active).toBe(0);
    });
  });
});

it("a stream says nothing more once a tap has failed on it, however its pieces arrived", async () => {
  const upstream = await startUpstream((_, response) => {
    // All in one packet, in pieces of their own, which Node 26 would put together.
    const pieces = [
      ...["one", "two", "three"].map((content) => chunk({ content })),
      `${chunk({}, "stop")}data: [DONE]\n\n`,
    ];
    const framed = [...pieces, ""].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
    const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    response.socket?.end(head + framed.join(""));
  });
  const taps = `hooks.streamChunk.tap("own", (chunks) => {
    if (chunks.some(({ text }) => text === "two")) throw new Error("out of order");
    return chunks;
  });`;
  const gateway = await startWayward({ taps, vendor: upstream.url });
  const { text } = await ask(gateway, { client: "openai", stream: true, model: "openai/m" });
  expect(text).toMatch(/one.*"error"/s);
  expect(text).not.toMatch(/two|three|\[DONE\]/);
});

it("tells that the gateway failed under the prefix its client speaks, too", async () => {
  const taps = wrongs["throws in a synchronous tap"].replace("HOOK", "routeSelect");
  const gateway = await startWayward({ taps, server: "{ headers: { aliases: [x-other-] } }" });
  const { status, headers } = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-other-trace-id": "mine" },
    body: "{}",
  });
  expect(status).toBe(500);
  for (const prefix of ["x-gateway-", "x-other-"])
    expect([headers.get(`${prefix}trace-id`), headers.get(`${prefix}gateway-exception`)]).toEqual(["mine", "true"]);
});
