import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { definePlugin } from "./define-plugin.ts";
import type { Endpoint } from "./model/endpoint.ts";
import type { OpenSocket, SocketEndpoint, TalkEndpoint } from "./model/socket.ts";
import { defineProvider } from "./provider-kit/define-provider.ts";
import { startGateway } from "./test-kit/index.ts";

const acme = defineProvider({
  name: "acme",
  summary: "A vendor with sockets.",
  baseUrl: "https://acme.example",
  operations: { chat: "openai-chat" },
  sockets: { own: "/socket" },
} as never);

/** What a client is answered whose socket a plugin opens so. */
const ask = (open: unknown, headers: Record<string, string> = {}, options: object = {}) =>
  askFor({ socket: { open: open as SocketEndpoint["open"] } }, headers, options);

async function askFor(kind: Pick<Endpoint, "socket" | "talk">, headers: Record<string, string>, options: object) {
  const plugin = definePlugin({
    name: "own",
    summary: "Opens sockets as a test says.",
    options: z.strictObject({}),
    setup({ endpoint }) {
      endpoint({ type: "own", method: "GET", path: "/v1/own", ...kind });
    },
  });
  const gateway = await startGateway({
    plugins: [plugin],
    providers: [acme],
    config: {
      plugins: { own: {}, "auth-open": {}, routing: { default: "acme" }, "format-openai-chat": {} },
      providers: { acme: { apiKey: "acme-key-0123", ...options } },
    },
  });
  onTestFinished(gateway.close);
  const asked = {
    ...{ connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    ...{ "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", ...headers },
  };
  const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const call = request(`${gateway.url}/v1/own`, { headers: asked }, (answer) => {
      let body = "";
      answer.on("data", (piece) => {
        body += piece;
      });
      answer.on("end", () => resolve([answer.statusCode, body]));
    });
    call.on("error", reject).end();
  });
  const lines = gateway.log.lines.filter(({ fields }) => fields.error);
  return { status, body: JSON.parse(text), errors: lines.map(({ fields }) => String(fields.error)) };
}

it.each<[string, Record<string, string>, object]>([
  ["the request", { "x-gateway-request-timeout": "20" }, {}],
  ["the provider", {}, { clocks: { total: 20 } }],
])("a socket that never opens is a 408 when the time of %s is up, and the log names the plugin", async (_, ...how) => {
  let abandoned = 0;
  const late: OpenSocket = { carry: async () => "complete", abandon: () => void abandoned++ };
  // What opens after all, since it was given up.
  const open: SocketEndpoint["open"] = ({ signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(late)));
  const { status, body, errors } = await ask(open, ...how);
  expect([status, body]).toMatchObject([
    408,
    { error: { type: "timeout_error", message: "Upstream did not answer within 20 ms." } },
  ]);
  expect(errors).toEqual(["Error: [plugin own] GET /v1/own: did not settle within 20 ms"]);
  expect(abandoned).toBe(1);
});

it.each<[string, () => unknown, string]>([
  ["throws", () => Promise.reject(new Error("boom")), "boom"],
  ["throws before it promises anything", () => JSON.parse("boom"), "boom"],
  ["gives nothing", () => undefined, "open() gave no socket"],
])("an open() that %s is a 500, and the log names the plugin", async (_, open, message) => {
  const { status, body, errors } = await ask(open);
  expect([status, body]).toMatchObject([500, { message: "Something went wrong" }]);
  expect(errors).toEqual([expect.stringMatching(`\\[plugin own\\] GET /v1/own: .*${message.replace(/[()]/g, ".")}`)]);
});

it.each<[string, () => unknown, string]>([
  ["throws", () => Promise.reject(new Error("boom")), "boom"],
  ["throws before it promises anything", () => JSON.parse("boom"), "boom"],
  ["gives nothing", () => undefined, "begin() gave no talk"],
])("a begin() that %s is a 500, and the log names the plugin", async (_, begin, message) => {
  const { status, body, errors } = await askFor({ talk: { begin: begin as TalkEndpoint["begin"] } }, {}, {});
  expect([status, body]).toMatchObject([500, { message: "Something went wrong" }]);
  expect(errors).toEqual([expect.stringMatching(`\\[plugin own\\] GET /v1/own: .*${message.replace(/[()]/g, ".")}`)]);
});
