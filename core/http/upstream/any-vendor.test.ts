import { createServer, type Socket } from "node:net";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import type { UpstreamHandle } from "../../model/transport.ts";
import { addressRules } from "./address-rules.ts";
import { undiciTransport } from "./undici-transport.ts";

const framed = {
  connection: (pieces: readonly string[]) => ({ head: "", pieces, last: "" }),
  length: (pieces: readonly string[]) => ({
    head: `content-length: ${pieces.join("").length}\r\n`,
    pieces,
    last: "",
  }),
  chunks: (pieces: readonly string[]) => ({
    head: "transfer-encoding: chunked\r\n",
    pieces: pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
    last: "0\r\n\r\n",
  }),
};

const piece = fc.integer({ min: 1, max: 40_000 }).map((length) => "abcdefgh".repeat(length / 8 + 1).slice(0, length));

const answers = fc.record({
  framing: fc.constantFrom<(keyof typeof framed)[]>("connection", "length", "chunks"),
  closing: fc.boolean(),
  pieces: fc.array(piece, { maxLength: 6 }),
  /** How many turns of the loop the vendor lets pass before each piece, and the reader after each. */
  vendorPauses: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
  readerPauses: fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }),
  cutAt: fc.option(fc.nat(6)),
  ending: fc.constantFrom("end", "reset", "destroy"),
});

type AnyAnswer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

const turns = async (count: number) => {
  for (let left = count; left > 0; left--) await new Promise(setImmediate);
};

/** Answers as it is told to; on a connection that is not the last one, whole answers leave it open. */
async function answer(socket: Socket, { framing, closing, pieces, vendorPauses, cutAt, ending }: AnyAnswer) {
  const { head, pieces: sent, last } = framed[framing](pieces);
  socket.write(`HTTP/1.1 200 OK\r\n${closing ? "connection: close\r\n" : ""}${head}\r\n`);
  for (const [at, text] of sent.entries()) {
    await turns(vendorPauses[at % vendorPauses.length] ?? 0);
    if (at === cutAt) break;
    socket.write(text);
  }
  if (cutAt === null || cutAt >= sent.length) socket.write(last);
  if (ending === "end") socket.end();
  else if (ending === "reset") socket.resetAndDestroy();
  else socket.destroySoon();
}

it("tells once how an answer ended, whole or not, whatever the vendor and the reader do", async () => {
  let next: AnyAnswer | undefined;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => {
      if (next) answer(socket, next).catch(() => undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const rules = addressRules({ trustedHosts: ["127.0.0.1"], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 1, connectTimeout: 5_000, rules });
  onTestFinished(() => transport.close());
  const call = {
    method: "GET",
    origin: `http://127.0.0.1:${port}`,
    path: "/",
    headers: {},
    body: undefined,
    untrustedHost: false,
  };

  await fc.assert(
    fc.asyncProperty(answers, async (said) => {
      next = said;
      const { pieces, readerPauses, cutAt, framing, ending } = said;
      const whole = pieces.join("");
      let read = "";
      let reads = 0;
      const endings: string[] = [];
      await new Promise<void>((over) => {
        let handle: UpstreamHandle | undefined;
        const ended = (how: string) => {
          endings.push(how);
          setImmediate(over);
        };
        handle = transport.send(call, {
          connected() {},
          headers() {},
          data(bytes) {
            read += bytes.toString("latin1");
            const pause = readerPauses[reads++ % readerPauses.length] ?? 0;
            if (pause === 0) return;
            handle?.pause();
            turns(pause).then(() => handle?.resume());
          },
          end: () => ended("end"),
          error: () => ended("error"),
        });
      });
      expect(endings).toHaveLength(1);
      expect(whole.startsWith(read)).toBe(true);
      const wasCut = cutAt !== null && cutAt < pieces.length;
      if (endings[0] === "end" && framing !== "connection") expect(read).toBe(whole);
      if (endings[0] === "error") expect(wasCut || ending === "reset").toBe(true);
    }),
    { numRuns: 300 },
  );
});
