import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { channelOver } from "./workers-channel.ts";

/** A worker's side of a channel whose supervisor only remembers. */
class Port extends EventEmitter {
  connected = true;
  readonly sent: unknown[] = [];
  send(message: unknown) {
    this.sent.push(message);
  }
}

it("sends what the supervisor is to pass on, while there is one", () => {
  const port = new Port();
  const channel = channelOver(port);
  channel.send("breaker", { opened: 1 });
  port.connected = false;
  channel.send("breaker", { opened: 2 });
  expect(port.sent).toEqual([{ relay: { topic: "breaker", message: { opened: 1 } } }]);
});

it("tells each listener of a topic once, and nobody who has left", () => {
  const port = new Port();
  const channel = channelOver(port);
  const heard: string[] = [];
  const leave = [1, 2].map((who) => channel.listen("a", (message) => heard.push(`${who} ${message}`)));
  channel.listen("b", (message) => heard.push(`b ${message}`));
  port.emit("message", { relay: { topic: "a", message: "x" } });
  leave[0]?.();
  port.emit("message", { relay: { topic: "a", message: "y" } });
  leave[1]?.();
  channel.listen("a", (message) => heard.push(`3 ${message}`));
  leave[1]?.();
  port.emit("message", { relay: { topic: "a", message: "z" } });
  expect(heard).toEqual(["1 x", "2 x", "2 y", "3 z"]);
  expect(port.listenerCount("message")).toBe(1);
});

it.each([[undefined], [null], ["relay"], [{ order: "stop" }], [{ relay: null }], [{ relay: { topic: 1 } }]])(
  "does not take %j for a message of a topic",
  (message) => {
    const port = new Port();
    const heard: unknown[] = [];
    channelOver(port).listen("a", (one) => heard.push(one));
    port.emit("message", message);
    expect(heard).toEqual([]);
  },
);

it("is silent in a process without a supervisor", () => {
  const channel = channelOver(undefined);
  channel.send("a", 1);
  channel.listen("a", () => undefined)();
});
