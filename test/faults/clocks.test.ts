import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { restOf } from "../support/calm.ts";
import { startTestGateway } from "../support/gateway.ts";
import { question } from "../support/raw-client.ts";
import { startRawUpstream } from "../support/raw-upstream.ts";
import { broken, complete, type Expected, expectAnswer, refused } from "./reading.ts";
import { begin, type FormatName, firstOf, said, type VendorCall } from "./vendor.ts";

/** A host that takes connections and never says a word, so that no handshake ends. */
async function startDeaf(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets: { destroy(): void }[] = [];
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Behaviour = (call: VendorCall) => void;

const startVendor = (behave: Behaviour): Promise<string> =>
  startRawUpstream((incoming, response) => {
    let body = "";
    incoming.on("data", (bytes) => {
      body += bytes;
    });
    incoming.on("end", () => {
      const format: FormatName = incoming.url?.endsWith("/messages") ? "anthropic" : "openai";
      const { stream } = JSON.parse(body);
      behave({ format, stream: stream === true, incoming, response, answered: Promise.resolve() });
    });
  });

const nothing: Behaviour = () => undefined;
const headersOnly: Behaviour = (call) => {
  begin(call);
  call.response.flushHeaders();
};
const beginningOnly: Behaviour = (call) => {
  begin(call);
  call.response.write(firstOf(call, 3));
};
/** Never silent for long, never finished. */
const drip: Behaviour = (call) => {
  begin(call);
  const timer = setInterval(() => call.response.write(call.stream ? ": wait\n\n" : " "), 10);
  call.response.once("close", () => clearInterval(timer));
};

const timedOut = refused(408, "C", "timeout_error");

interface ClockCase {
  readonly clock: string;
  readonly behave: Behaviour | "deaf";
  readonly streams: readonly boolean[];
  readonly message: RegExp;
  readonly expected: (stream: boolean) => Expected;
}

const cases: readonly ClockCase[] = [
  {
    clock: "connect",
    behave: "deaf",
    streams: [false, true],
    message: /accept a connection/,
    expected: () => refused(503, "C", "upstream_connection_error"),
  },
  { clock: "headers", behave: nothing, streams: [false, true], message: /120 ms/, expected: () => timedOut },
  {
    clock: "firstToken",
    behave: nothing,
    streams: [true],
    message: /first token within 120 ms/,
    expected: () => timedOut,
  },
  {
    clock: "firstToken",
    behave: headersOnly,
    streams: [true],
    message: /first token within 120 ms/,
    expected: () => timedOut,
  },
  {
    clock: "firstToken",
    behave: drip,
    streams: [true],
    message: /first token within 120 ms/,
    expected: () => timedOut,
  },
  {
    clock: "idle",
    behave: headersOnly,
    streams: [false, true],
    message: /silent for 120 ms/,
    expected: () => timedOut,
  },
  {
    clock: "idle",
    behave: beginningOnly,
    streams: [false, true],
    message: /silent for 120 ms/,
    expected: (stream) => (stream ? broken("timeout_error") : timedOut),
  },
  { clock: "total", behave: nothing, streams: [false, true], message: /within 120 ms/, expected: () => timedOut },
  { clock: "total", behave: headersOnly, streams: [false, true], message: /within 120 ms/, expected: () => timedOut },
  { clock: "total", behave: drip, streams: [false, true], message: /within 120 ms/, expected: () => timedOut },
  { clock: "total", behave: beginningOnly, streams: [false], message: /within 120 ms/, expected: () => timedOut },
];

/** Where a clock can be set: `wider` is what the next wider place says meanwhile. */
const places = {
  server: (clock: string) => ({ server: `{ ${clock}: 120 }`, provider: "{}", headers: {} }),
  provider: (clock: string) => ({ server: `{ ${clock}: 60000 }`, provider: `{ ${clock}: 120 }`, headers: {} }),
  "the request": (clock: string) => ({
    server: `{ ${clock}: 60000 }`,
    provider: `{ ${clock}: 50000 }`,
    headers: { "x-gateway-request-timeout": "120" },
  }),
};

const paths = { openai: "/v1/chat/completions", anthropic: "/v1/messages" } as const;

async function start(vendor: string, { server, provider }: { server: string; provider: string }, more = "") {
  return startTestGateway(`
server: { clocks: ${server}${more} }
plugins:
  auth-open: {}
  routing: {}
  format-openai-chat: {}
  format-anthropic-messages: {}
providers:
  simulator: {}
  openai: { apiKey: vendor-key, baseUrl: ${vendor}/v1, clocks: ${provider} }
  anthropic: { apiKey: vendor-key, baseUrl: ${vendor}/v1, clocks: ${provider} }
`);
}

const rows = cases.flatMap((one) =>
  (Object.keys(places) as (keyof typeof places)[])
    // A request has one header, for the whole attempt.
    .filter((place) => place !== "the request" || one.clock === "total")
    .flatMap((place) => one.streams.map((stream) => ({ ...one, place, stream, how: nameOf(one.behave) }))),
);

function nameOf(behave: Behaviour | "deaf"): string {
  if (behave === "deaf") return "a host that does not shake hands";
  if (behave === nothing) return "a vendor that says nothing";
  if (behave === headersOnly) return "a vendor that sends headers only";
  return behave === drip ? "a vendor that says nothing of interest" : "a vendor that stops in the middle";
}

describe.each(rows)("the clock $clock, set by $place, before $how (stream: $stream)", (row) => {
  it.each(["openai", "anthropic"] as const)("ends the attempt for a client of %s", async (client) => {
    const url = row.behave === "deaf" ? await startDeaf() : await startVendor(row.behave);
    const setting = places[row.place](row.clock);
    const gateway = await start(url, setting);
    const rest = await restOf(gateway);
    const response = await fetch(gateway.url + paths[client], {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close", ...setting.headers },
      body: question("openai/m", { stream: row.stream }),
    });
    const { status, headers } = response;
    const text = await response.text();
    expectAnswer({ status, headers, text }, row.expected(row.stream), client, row.stream);
    expect(text).toMatch(row.message);
    await rest();
  });
});

describe("a clock of a provider", () => {
  it("may also be wider than the server's", async () => {
    const gateway = await start(await startDeaf(), { server: "{ connect: 50 }", provider: "{ connect: 200 }" });
    const began = performance.now();
    const response = await fetch(gateway.url + paths.openai, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: question("openai/m"),
    });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain("within 200 ms");
    expect(performance.now() - began).toBeGreaterThan(190);
  });
});

describe("a stream that has begun", () => {
  it("may take longer than any clock but idle", async () => {
    const url = await startVendor((call) => {
      const frames = [...said[call.format].frames];
      begin(call);
      const timer = setInterval(() => {
        const frame = frames.shift();
        if (frame !== undefined) return call.response.write(frame);
        clearInterval(timer);
        return call.response.end();
      }, 200);
    });
    const clocks = "{ connect: 1000, headers: 1000, firstToken: 1000, idle: 1000, total: 1000 }";
    const gateway = await start(url, { server: clocks, provider: "{}" });
    const rest = await restOf(gateway);
    const response = await fetch(gateway.url + paths.openai, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close", "x-gateway-request-timeout": "1000" },
      body: question("openai/m", { stream: true }),
    });
    const { status, headers } = response;
    expectAnswer({ status, headers, text: await response.text() }, complete, "openai", true);
    await rest();
  });
});

describe("comments on a silent stream", () => {
  const answer = async (gateway: { url: string }, client: FormatName) => {
    const response = await fetch(gateway.url + paths[client], {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: question("openai/m", { stream: true }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const comments = (text: string) => text.split(": keep-alive\n\n").length - 1;

  it.each(["openai", "anthropic"] as const)(
    "keep a client of %s before the first frame, and do not keep the total clock from ending it",
    async (client) => {
      const url = await startVendor(headersOnly);
      const gateway = await start(url, { server: "{ total: 1000 }", provider: "{}" }, ", keepAliveComments: 40");
      const rest = await restOf(gateway);
      const { status, text } = await answer(gateway, client);
      expect(status).toBe(200);
      expect(comments(text)).toBeGreaterThan(2);
      expect(text).toContain("timeout_error");
      expect(text).not.toMatch(/\[DONE\]|message_stop/);
      await rest();
    },
  );

  it.each(["openai", "anthropic"] as const)(
    "keep a client of %s between frames, and do not keep the idle clock from ending it",
    async (client) => {
      const url = await startVendor(beginningOnly);
      const gateway = await start(url, { server: "{ idle: 1000 }", provider: "{}" }, ", keepAliveComments: 40");
      const rest = await restOf(gateway);
      const { headers, status, text } = await answer(gateway, client);
      expectAnswer({ status, headers, text }, broken("timeout_error"), client, true);
      expect(comments(text)).toBeGreaterThan(2);
      await rest();
    },
  );

  it("are not sent before the first frame where the first token has a deadline: the route may yet go elsewhere", async () => {
    const url = await startVendor(headersOnly);
    const gateway = await start(url, { server: "{ firstToken: 200 }", provider: "{}" }, ", keepAliveComments: 20");
    const { headers, status, text } = await answer(gateway, "openai");
    expectAnswer({ status, headers, text }, timedOut, "openai", true);
  });

  it("never get into a frame", async () => {
    const [first = "", second = "", ...others] = said.openai.frames;
    const url = await startVendor((call) => {
      begin(call);
      call.response.write(first + second.slice(0, 20));
      setTimeout(() => call.response.end(second.slice(20) + others.join("")), 500);
    });
    const gateway = await start(url, { server: "{}", provider: "{}" }, ", keepAliveComments: 20");
    const { headers, status, text } = await answer(gateway, "openai");
    expect(comments(text)).toBeGreaterThan(1);
    expect(text.replaceAll(": keep-alive\n\n", "")).toBe(said.openai.frames.join(""));
    expectAnswer({ status, headers, text }, complete, "openai", true);
  });

  it("stop when the stream ends, and are never sent when they are not wanted", async () => {
    const url = await startVendor((call) => {
      begin(call);
      call.response.end(said[call.format].frames.join(""));
    });
    const gateway = await start(url, { server: "{}", provider: "{}" }, ", keepAliveComments: 0");
    const rest = await restOf(gateway);
    expect(comments((await answer(gateway, "openai")).text)).toBe(0);
    await rest();
  });
});
