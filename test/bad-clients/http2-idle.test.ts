import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { constants } from "node:http2";
import { describe, expect, it } from "vitest";
import { answerOf, http2To } from "../support/http2-client.ts";
import { connectTo } from "../support/raw-client.ts";
import { deferred, startRawUpstream } from "../support/raw-upstream.ts";
import { startGateway } from "./deployment.ts";

/** A client that waits for an answer, and has for longer than idle connections stay. */
async function waitingForLonger() {
  const called = deferred<ServerResponse>();
  const gateway = await startGateway(
    "{ keepAliveTimeout: 50 }",
    await startRawUpstream((_, response) => called.resolve(response)),
  );
  const { begin, session } = await http2To(gateway.url);
  const stream = begin("/v1/proxy/x", { ":method": "GET", "x-gateway-provider": "@openai" });
  stream.on("error", () => undefined).end();
  const vendor = await called.promise;
  const idle = await http2To(gateway.url);
  // It began after the other one, and is let go of first.
  await once(idle.session, "close");
  return { session, stream, vendor };
}

describe("a client that speaks HTTP/2 only", () => {
  it("is let go of when it asks nothing for as long as idle connections stay, but not while it waits", async () => {
    const { session, stream, vendor } = await waitingForLonger();
    const answered = answerOf(stream);
    expect(session.closed).toBe(false);
    vendor.end("late");
    expect((await answered).text).toBe("late");
    await once(session, "close");
  });

  it("is let go of when all that was left is something it gave up", async () => {
    const { session, stream } = await waitingForLonger();
    stream.close(constants.NGHTTP2_CANCEL);
    await once(session, "close");
  });

  it("is cut off when it does not close what has ended", async () => {
    const gateway = await startGateway("{ keepAliveTimeout: 50 }");
    const client = await connectTo(gateway.url);
    client.send(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0)]));
    await client.ended;
    // Nobody is there any more to take it.
    const writing = () => {
      client.send("x");
      return client.socket.destroyed;
    };
    await expect.poll(writing).toBe(true);
  });
});
