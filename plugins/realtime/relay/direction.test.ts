import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import type { WebSocket } from "ws";
import { Direction } from "./direction.ts";

/** A socket that sends when the test says so. */
class Stand extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  readonly sent: { readonly data: Buffer; readonly binary: boolean; readonly done: () => void }[] = [];

  send(data: Buffer, { binary }: { binary: boolean }, done: () => void): void {
    this.bufferedAmount += data.length;
    this.sent.push({ data, binary, done });
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  /** The oldest frames are on their way. */
  flush(count: number): void {
    for (const { data, done } of this.sent.splice(0, count)) {
      this.bufferedAmount -= data.length;
      done();
    }
  }
}

function directed(moved?: (data: unknown, isBinary: boolean) => void) {
  const from = new Stand();
  const to = new Stand();
  new Direction(from as unknown as WebSocket, to as unknown as WebSocket, 100, moved);
  const come = (size: number) => from.emit("message", Buffer.alloc(size), true);
  return { from, to, come };
}

it("reads no further while too much waits, until half of it is gone", () => {
  const { from, to, come } = directed();
  for (let n = 0; n < 4; n++) come(25);
  expect(from.isPaused).toBe(false);
  come(25);
  expect(from.isPaused).toBe(true);
  to.flush(2);
  expect(from.isPaused).toBe(true);
  to.flush(1);
  expect(from.isPaused).toBe(false);
  for (let n = 0; n < 3; n++) come(25);
  expect(from.isPaused).toBe(true);
});

it("reads on where the other side is gone, so that the end is seen", () => {
  const { from, to, come } = directed();
  come(101);
  expect(from.isPaused).toBe(true);
  to.readyState = 3;
  to.emit("close");
  expect(from.isPaused).toBe(false);
});

it("shows a frame when it is on its way", () => {
  const order: string[] = [];
  const { to, come } = directed((_, isBinary) => order.push(`shown ${to.sent.length} ${isBinary}`));
  come(1);
  expect(order).toEqual(["shown 1 true"]);
});
