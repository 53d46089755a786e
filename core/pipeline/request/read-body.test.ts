import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { collectGarbage } from "../../../test/support/collect-garbage.ts";
import { Cancellation } from "../cancellation.ts";
import type { ClientBody } from "../road.ts";
import { readBody } from "./read-body.ts";

const terms = { setting: "jsonBodyBytes", limit: 1_000_000, timeout: 0, gone: new Cancellation() } as const;

it("keeps the pieces of a body no longer than until they are one, however long its request takes", async () => {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  const reading = readBody({ stream, taken: false } as unknown as ClientBody, terms);
  const pieces = [1, 2, 3].map((byte) => {
    const piece = Buffer.alloc(100_000, byte);
    stream.write(piece);
    return new WeakRef(piece);
  });
  stream.end();
  expect(await reading).toHaveLength(300_000);
  await expect
    .poll(() => {
      collectGarbage();
      return pieces.filter((piece) => piece.deref()).length;
    })
    .toBe(0);
  expect(stream.listenerCount("data")).toBe(1);
});
