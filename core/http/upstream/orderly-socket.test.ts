import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { Agent, type Dispatcher } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { authority, certified } from "../../../test/support/certificates.ts";
import { deferred } from "../../../test/support/raw-upstream.ts";
import { codeIn } from "../../errors/code-of.ts";
import type { UpstreamListener } from "../../model/transport.ts";
import { addressRules } from "./address-rules.ts";
import { connectorFor } from "./connections.ts";
import { trustIn } from "./trust.ts";
import { undiciTransport } from "./undici-transport.ts";

const asIs = (text: string) => text;
const asChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** How a vendor says where an answer of ten bytes ends. */
const framings = {
  connection: { head: "", piece: asIs, last: "" },
  length: { head: "content-length: 10\r\n", piece: asIs, last: "" },
  "length, closing": { head: "connection: close\r\ncontent-length: 10\r\n", piece: asIs, last: "" },
  chunks: { head: "transfer-encoding: chunked\r\n", piece: asChunk, last: "0\r\n\r\n" },
  "chunks, closing": {
    head: "connection: close\r\ntransfer-encoding: chunked\r\n",
    piece: asChunk,
    last: "0\r\n\r\n",
  },
};

type Framing = keyof typeof framings;

const settings = {
  rules: addressRules({ trustedHosts: ["127.0.0.1"], ownHosts: [] }),
  connectTimeout: 5_000,
  trust: trustIn([readFileSync(authority, "utf8")]),
};

/** A vendor that answers, and gives its side of the connection. */
async function vendor(answer: string, secure = false) {
  const asked = deferred<Socket>();
  const listen = (socket: Socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(answer);
      asked.resolve(socket);
    });
  };
  const server = secure ? createSecureServer(certified, listen) : createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { origin: `${secure ? "https" : "http"}://127.0.0.1:${port}`, asked: asked.promise };
}

/** Nothing more comes, whether or not all was read. */
const isOver = (socket: Socket) => (socket as unknown as { _readableState: { ended: boolean } })._readableState.ended;

/** A call whose caller reads a piece at a time, and takes the next one when it is told to. */
function slowCall(origin: string) {
  const told: string[] = [];
  const [begun, over] = [deferred<Dispatcher.DispatchController>(), deferred<string>()];
  const own = deferred<Socket>();
  const connect = connectorFor(settings, false);
  const agent = new Agent({
    connect: (options, done) =>
      connect(options, (...[error, socket]) => {
        if (!socket) return done(error, null);
        own.resolve(socket);
        done(null, socket);
      }),
  });
  onTestFinished(() => agent.destroy());
  agent.dispatch(
    { origin, path: "/", method: "GET" },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData(controller, bytes) {
        if (bytes.length === 0) return;
        told.push(bytes.toString());
        controller.pause();
        if (told.length > 1) setImmediate(() => controller.resume());
        begun.resolve(controller);
      },
      onResponseEnd: () => over.resolve("end"),
      onResponseError: (_, error) => over.resolve(String(codeIn(error) ?? error.message)),
    },
  );
  return { told, begun: begun.promise, socket: own.promise, over: over.promise };
}

const head = (framing: Framing, status = 200) =>
  `HTTP/1.1 ${status} OK\r\n${framings[framing].head}\r\n${framings[framing].piece("first ")}`;

const rest = (framing: Framing, whole: boolean) =>
  framings[framing].piece(whole ? "more" : "mor") + (whole ? framings[framing].last : "");

const all = Object.keys(framings) as Framing[];

it.each(all.flatMap((framing) => [true, false].map((secure) => ({ framing, secure }))))(
  "gives a slow reader all of an answer before its end: $framing, TLS $secure",
  async ({ framing, secure }) => {
    const { origin, asked } = await vendor(head(framing), secure);
    const call = slowCall(origin);
    const reader = await call.begun;
    (await asked).end(rest(framing, true));
    const socket = await call.socket;
    await expect.poll(() => isOver(socket)).toBe(true);
    reader.resume();
    expect(await call.over).toBe("end");
    expect(call.told.join("")).toBe("first more");
  },
);

it.each(all)("gives a slow reader an end that comes when all was read: %s", async (framing) => {
  const { origin, asked } = await vendor(head(framing) + rest(framing, true));
  const call = slowCall(origin);
  const reader = await call.begun;
  (await asked).end();
  const socket = await call.socket;
  await expect.poll(() => isOver(socket)).toBe(true);
  reader.resume();
  expect(await call.over).toBe("end");
  expect(call.told.join("")).toBe("first more");
});

it.each(all)("tells a slow reader of an answer that was cut: %s", async (framing) => {
  const { origin, asked } = await vendor(head(framing));
  const call = slowCall(origin);
  const reader = await call.begun;
  (await asked).end(rest(framing, false));
  const socket = await call.socket;
  await expect.poll(() => isOver(socket)).toBe(true);
  reader.resume();
  // An answer that ends with its connection says nothing else of where it ends.
  if (framing === "connection") expect(await call.over).toBe("end");
  else expect(await call.over).not.toBe("end");
  expect(call.told.join("")).toBe("first mor");
});

it.each(all)("tells a slow reader of a reset: %s", async (framing) => {
  const { origin, asked } = await vendor(head(framing));
  const call = slowCall(origin);
  await call.begun;
  (await asked).resetAndDestroy();
  expect(await call.over).toBe("ECONNRESET");
});

/** What becomes of an answer to a caller who reads at once, where the vendor resets its connection after these pieces. */
async function resetBehind(status: number, framing: Framing, whole: boolean) {
  const { origin, asked } = await vendor(head(framing, status) + rest(framing, whole));
  const transport = undiciTransport({ ...settings, connectionsPerHost: 1 });
  onTestFinished(() => transport.close());
  const [read, over] = [deferred<void>(), deferred<string>()];
  let text = "";
  const listener: UpstreamListener = {
    connected() {},
    headers() {},
    data(bytes) {
      text += bytes.toString();
      if (text.length >= (whole ? 10 : 9)) read.resolve();
    },
    end: () => over.resolve("end"),
    error: (error) => over.resolve(String(codeIn(error))),
  };
  transport.send({ method: "GET", origin, path: "/", headers: {}, body: undefined, untrustedHost: false }, listener);
  await read.promise;
  (await asked).resetAndDestroy();
  return over.promise;
}

it.each(all)("takes no reset for an end: %s", async (framing) => {
  expect(await resetBehind(200, framing, false)).toBe("ECONNRESET");
  // What says itself where it ends was over before.
  expect(await resetBehind(200, framing, true)).toBe(framing === "connection" ? "ECONNRESET" : "end");
});

it("takes a refusal that is reset for one, however far it came", async () => {
  expect(await resetBehind(413, "connection", false)).toBe("end");
  expect(await resetBehind(413, "length", false)).toBe("ECONNRESET");
});
