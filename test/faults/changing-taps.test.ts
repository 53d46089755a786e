import { describe, expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { json, startUpstream } from "../support/upstream.ts";
import { complete, expectAnswer, refused } from "./reading.ts";
import { said } from "./vendor.ts";
import { ask, startWayward, textOf } from "./wayward.ts";

const clients = ["openai", "anthropic"] as const;
const vendors = ["openai", "anthropic"] as const;
const pairs = clients.flatMap((client) => vendors.map((vendor) => ({ client, vendor })));
const ordinary = "Simulated answer from m: Hello there";

describe.each(pairs)(
  "a tap on streamChunk, for a client of $client before a vendor of $vendor",
  ({ client, vendor }) => {
    const streamed = async (taps: string) => {
      const gateway = await startWayward({ taps });
      const reading = await ask(gateway, { client, stream: true, model: `${vendor}-simulator/m` });
      expectAnswer(reading, complete, client, true);
      await eventually(() => expect(gateway.generation.active).toBe(0));
      return textOf(reading);
    };

    it("may let all chunks go on as they are", async () => {
      expect(await streamed('hooks.streamChunk.tap("own", (chunks) => chunks);')).toBe(ordinary);
      expect(await streamed('hooks.streamChunk.tap("own", () => undefined);')).toBe(ordinary);
    });

    it("may drop chunks", async () => {
      const drop = `hooks.streamChunk.tap("own", (chunks) => chunks.filter(({ text }) => !text?.includes("from")));`;
      expect(await streamed(drop)).toBe("Simulated answer m: Hello there");
    });

    it("may say chunks more than once, and change them", async () => {
      const twice = `hooks.streamChunk.tap("own", (chunks) => chunks.flatMap((chunk) => chunk.type === "text-delta" ? [chunk, { ...chunk, text: chunk.text.toUpperCase() }] : [chunk]));`;
      expect(await streamed(twice)).toContain("Simulated SIMULATED answer ANSWER ");
    });

    it("may hold all of the text back, and release it before the answer finishes", async () => {
      const hold = `
      const held = new WeakMap();
      hooks.streamChunk.tap("own", (chunks, exchange) => {
        const out = [];
        for (const chunk of chunks) {
          if (chunk.type === "text-delta") held.set(exchange, [...(held.get(exchange) ?? []), chunk]);
          else if (chunk.type === "finish") out.push(...(held.get(exchange) ?? []), chunk);
          else out.push(chunk);
        }
        return out;
      });`;
      expect(await streamed(hold)).toBe(ordinary);
    });

    it("may let nothing go on but the end", async () => {
      expect(
        await streamed(`hooks.streamChunk.tap("own", (chunks) => chunks.filter(({ type }) => type === "finish"));`),
      ).toBe("");
    });

    it("may be followed by one that sees what it gave", async () => {
      const both = `
      hooks.streamChunk.tap({ name: "second", stage: Stage.record }, (chunks) => chunks.map((chunk) => chunk.type === "text-delta" ? { ...chunk, text: chunk.text.replace("x", "y") } : chunk));
      hooks.streamChunk.tap("first", (chunks) => chunks.map((chunk) => chunk.type === "text-delta" ? { ...chunk, text: "x" } : chunk));`;
      expect(await streamed(both)).toMatch(/^y+$/);
    });
  },
);

const cached = `{ kind: "answer", status: 200, headers: { "x-from": "tap" }, response: { choices: [{ index: 0, content: [{ type: "text", text: "From a tap" }], finishReason: "stop" }] } }`;
const denied = `{ kind: "answer", status: 446, body: { error: { message: "No.", type: "hooks_failed", param: null, code: null }, hook_results: {} } }`;

describe.each(pairs)(
  "an answer of a tap on beforeRequest, for a client of $client before $vendor",
  ({ client, vendor }) => {
    it.each([false, true])("stands for the vendor's, and nobody is called (stream: %s)", async (stream) => {
      const upstream = await startUpstream((_, response) => json(response, 500, {}));
      const taps = `
      hooks.beforeRequest.tapPromise("own", async () => (${cached}));
      hooks.beforeRequest.tap("own", () => { throw new Error("asked although there is an answer"); });`;
      const gateway = await startWayward({ taps, vendor: upstream.url });
      const reading = await ask(gateway, { client, stream, model: `${vendor}/m` });
      expectAnswer(reading, complete, client, stream);
      expect(textOf(reading)).toBe("From a tap");
      expect(reading.headers.get("x-from")).toBe("tap");
      expect(upstream.received).toEqual([]);
      await eventually(() =>
        expect(gateway.log.lines.at(-1)).toMatchObject({ fields: { ending: "complete", status: 200 } }),
      );
    });

    it.each([false, true])("may be a denial with a status of its own (stream: %s)", async (stream) => {
      const gateway = await startWayward({ taps: `hooks.beforeRequest.tap("own", () => (${denied}));` });
      const reading = await ask(gateway, { client, stream, model: `${vendor}/m` });
      expectAnswer(reading, refused(446, "C", "hooks_failed"), client, stream);
      expect(JSON.parse(reading.text)).toHaveProperty("hook_results");
    });
  },
);

describe("a refusal a tap throws", () => {
  it.each(clients)("keeps its status and its shape, for a client of %s", async (client) => {
    const taps = `hooks.beforeRequest.tap("own", () => { throw new GatewayError("rate_limited", "Enough.", { retryAfterSeconds: 2.1 }); });`;
    const gateway = await startWayward({ taps });
    for (const stream of [false, true])
      expectAnswer(
        await ask(gateway, { client, stream }),
        refused(429, "C", "rate_limit_exceeded", { "retry-after": "3" }),
        client,
        stream,
      );
  });
});

describe.each(pairs)(
  "a tap on afterRequest, for a client of $client before a vendor of $vendor",
  ({ client, vendor }) => {
    it("may replace a whole answer", async () => {
      const gateway = await startWayward({ taps: `hooks.afterRequest.tapPromise("own", async () => (${cached}));` });
      const reading = await ask(gateway, { client, model: `${vendor}-simulator/m` });
      expectAnswer(reading, complete, client, false);
      expect(textOf(reading)).toBe("From a tap");
    });

    it("may deny it", async () => {
      const gateway = await startWayward({ taps: `hooks.afterRequest.tap("own", () => (${denied}));` });
      const reading = await ask(gateway, { client, model: `${vendor}-simulator/m` });
      expectAnswer(reading, refused(446, "C", "hooks_failed"), client, false);
    });

    it("sees of a stream, at its end, the whole answer, and changes the record only", async () => {
      const taps = `
      hooks.afterRequest.tap("own", (answer) => {
        log.info("seen", { sent: answer.sent, text: answer.response.choices[0].content[0].text });
        return ${cached};
      });
      hooks.cost.tap("own", ({ answer }) => log.info("recorded", { text: answer.response.choices[0].content[0].text }));`;
      const gateway = await startWayward({ taps });
      const reading = await ask(gateway, { client, stream: true, model: `${vendor}-simulator/m` });
      expectAnswer(reading, complete, client, true);
      expect(textOf(reading)).toBe(ordinary);
      await eventually(() => {
        const lines = gateway.log.lines.filter(({ message }) => message === "seen" || message === "recorded");
        expect(lines.map(({ fields }) => fields)).toEqual([{ sent: true, text: ordinary }, { text: "From a tap" }]);
      });
    });

    it("sees what a vendor refused", async () => {
      const taps = `hooks.afterRequest.tap("own", (answer) => ({ ...answer, headers: { "x-seen": String(answer.status) } }));`;
      const gateway = await startWayward({ taps });
      const reading = await ask(gateway, { client, model: `${vendor}-simulator/fault-status-503` });
      expect(reading.status).toBe(503);
      expect(reading.headers.get("x-seen")).toBe("503");
    });
  },
);

describe.each(pairs)("a body a tap replaced, of a client of $client", ({ client, vendor }) => {
  it.each([false, true])(`is what a vendor of ${vendor} gets (stream: %s)`, async (stream) => {
    const upstream = await startUpstream((_, response) => {
      if (!stream) return json(response, 200, said[vendor].whole);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(said[vendor].frames.join(""));
    });
    const taps = `hooks.beforeRequest.tap("own", (request) => withBody(request, {
      ...request.body,
      messages: [{ role: "user", content: [{ type: "text", text: "Something else" }] }],
    }));`;
    const gateway = await startWayward({ taps, vendor: upstream.url });
    const reading = await ask(gateway, { client, stream, model: `${vendor}/m` });
    expectAnswer(reading, complete, client, stream);
    const sent = upstream.received[0]?.body.toString() ?? "";
    expect(sent).toContain("Something else");
    expect(sent).not.toContain("Hello there");
    expect(JSON.parse(sent)).toMatchObject({
      model: "m",
      messages: [{ role: "user" }],
      ...(stream && { stream: true }),
    });
  });
});
