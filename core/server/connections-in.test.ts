import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { collectGarbage } from "../../test/support/collect-garbage.ts";
import { ConnectionsIn } from "./connections-in.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const seen: WeakRef<ServerResponse>[] = [];
const bodies: WeakRef<Buffer>[] = [];
const connections = new ConnectionsIn(echo);
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
