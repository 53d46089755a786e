import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { collectGarbage } from "../../test/support/collect-garbage.ts";
import { connectTo } from "../../test/support/raw-client.ts";
import { ConnectionsIn } from "./connections-in.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const seen: WeakRef<ServerResponse>[] = [];
const bodies: WeakRef<Buffer>[] = [];
const settings = { headerBytes: 16_384, keepAliveTimeout: 60_000 };
const connections = new ConnectionsIn(echo, settings);
const server = createServer({ keepAliveTimeout: 60_000 }, connections.arrived);
connections.watch(server, false);

afterAll(() => {
  agent.destroy();
  server.close();
});

/** Holds what it read until it has answered, as an exchange does. */
function echo(incoming: IncomingMessage, response: ServerResponse): void {
  seen.push(new WeakRef(response));
  let body = Buffer.alloc(0);
  response.on("close", () => bodies.push(new WeakRef(body)));
  incoming.on("data", (bytes: Buffer) => {
    body = Buffer.concat([body, bytes]);
  });
  incoming.on("end", () => response.end(String(body.length)));
}

const ask = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const asking = request({ agent, port, host: "127.0.0.1", method: "POST" }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => resolve(text));
    });
    asking.on("error", reject);
    asking.end(Buffer.alloc(100_000));
  });

it("keeps nothing of an answer that is over while its connection waits for another request", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await ask(port)).toBe("100000");
  const kept = () => {
    collectGarbage();
    return [...seen, ...bodies].filter((one) => one.deref() !== undefined).length;
  };
  await expect.poll(() => bodies.length).toBe(1);
  await expect.poll(kept).toBe(0);
  expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
});

it("tells each of the answers on a connection once that its client has left, whoever's turn it is", async () => {
  const answers: ServerResponse[] = [];
  const closed: number[] = [];
  const pipelined = new ConnectionsIn((_, response) => {
    const at = answers.push(response) - 1;
    response.on("close", () => closed.push(at));
    // More than fits on its way to a client that does not read.
    if (at > 0) response.end(Buffer.alloc(16 * 1024 * 1024));
  }, settings);
  const other = createServer(pipelined.arrived);
  pipelined.watch(other, false);
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { socket, send, reset } = await connectTo(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  socket.pause();
  send("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(3));
  await expect.poll(() => answers.length).toBe(3);
  answers[0]?.end("first");
  await expect.poll(() => answers[1]?.socket).toBeTruthy();
  reset();
  await new Promise((resolve) => other.close(resolve));
  await expect.poll(() => [...closed].sort()).toEqual([0, 1, 2]);
});
