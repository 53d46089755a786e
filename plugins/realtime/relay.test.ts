import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { connect, converse, startRealtime, startVendor } from "./testing.ts";

async function open(plugins: Record<string, unknown> = {}) {
  const vendor = await startVendor();
  const gateway = await startRealtime(vendor, plugins);
  return { vendor, gateway, ...(await converse(gateway, vendor)) };
}

describe("frames", () => {
  it("pass unchanged and in order, both ways, as texts and as bytes", async () => {
    const { client, server } = await open({ "access-log": {} });
    const frames = [
      "a",
      Buffer.from([0, 1, 255]),
      '{"type":"response.done", broken',
      "ü€😀",
      "",
      Buffer.alloc(0),
      '{"type":"nonsense"}',
    ];
    for (const frame of frames) client.send(frame);
    for (const frame of frames) expect(await server.next()).toEqual(frame);
    for (const frame of frames) server.send(frame);
    for (const frame of frames) expect(await client.next()).toEqual(frame);
  });

  it("that the provider sends at once are not lost", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor);
    const greeted = vendor.next().then((server) => {
      for (let n = 0; n < 50; n++) server.send(`${n}`);
    });
    const client = await connect(gateway);
    await greeted;
    for (let n = 0; n < 50; n++) expect(await client.next()).toBe(`${n}`);
  });

  it("that are too long end the connection of whoever sent them with 1009", async () => {
    const first = await open({ realtime: { messageBytes: 1_000 } });
    first.client.send("x".repeat(1_000));
    expect(await first.server.next()).toHaveLength(1_000);
    first.client.send("x".repeat(1_001));
    expect(await first.client.closed).toMatchObject({ code: 1009 });
    expect(await first.server.closed).toMatchObject({ code: 1011 });
    const second = await open({ realtime: { messageBytes: 1_000 } });
    second.server.send("x".repeat(1_001));
    expect(await second.server.closed).toMatchObject({ code: 1009 });
    expect(await second.client.closed).toMatchObject({ code: 1011 });
  });

  it("wait where the other side does not take them, and then all come", async () => {
    const { client, server } = await open({ realtime: { bufferBytes: 64 * 1024 } });
    client.socket.pause();
    const piece = Buffer.alloc(256 * 1024, 7);
    const count = 100;
    for (let n = 0; n < count; n++) server.send(piece);
    client.send("still heard");
    expect(await server.next()).toBe("still heard");
    client.socket.resume();
    for (let n = 0; n < count; n++) expect(piece.equals((await client.next()) as Buffer)).toBe(true);
  });
});

describe("the end", () => {
  it.each([
    [1000, "done"],
    [4001, "own words"],
    [1011, ""],
  ])("comes to the other side as it is: %i %j", async (code, reason) => {
    const first = await open();
    first.server.socket.close(code, reason);
    expect(await first.client.closed).toEqual({ code, reason });
    const second = await open();
    second.client.socket.close(code, reason);
    expect(await second.server.closed).toEqual({ code, reason });
  });

  it("without a code is one without a code", async () => {
    const first = await open();
    first.server.socket.close();
    expect(await first.client.closed).toEqual({ code: 1005, reason: "" });
    const second = await open();
    second.client.socket.close();
    expect(await second.server.closed).toEqual({ code: 1005, reason: "" });
  });

  it("that comes without a word is an error of the provider, and a plain end of the client", async () => {
    const first = await open();
    first.server.socket.terminate();
    expect(await first.client.closed).toMatchObject({ code: 1011 });
    const second = await open();
    second.client.socket.terminate();
    expect(await second.server.closed).toMatchObject({ code: 1000 });
  });

  it("comes after everything that was sent before it", async () => {
    const { client, server } = await open();
    for (let n = 0; n < 100; n++) server.send(`${n}`);
    server.socket.close(1000, "bye");
    for (let n = 0; n < 100; n++) expect(await client.next()).toBe(`${n}`);
    expect(await client.closed).toEqual({ code: 1000, reason: "bye" });
  });

  it("is written to the log, with what the session was", async () => {
    const { client, server, gateway } = await open({ "access-log": {} });
    server.socket.close(1000);
    await client.closed;
    await gateway.shutdown(0, 1_000);
    expect(gateway.log.lines.find(({ message }) => message === "request")?.fields).toMatchObject({
      path: "/v1/realtime",
      status: 101,
      ending: "complete",
      provider: "oai",
      model: "gpt-realtime",
    });
  });
});

it("asks both sides now and then whether they are there, and never ends an idle connection", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, server } = await open();
  let pings = 0;
  const both = (count: number) =>
    new Promise<void>((resolve) => {
      for (const { socket } of [client, server])
        socket.on("ping", () => {
          pings++;
          if (pings === count) resolve();
        });
    });
  const asked = both(2);
  vi.advanceTimersByTime(29_999);
  expect(pings).toBe(0);
  vi.advanceTimersByTime(1);
  await asked;
  vi.advanceTimersByTime(600_000);
  client.send("still here");
  expect(await server.next()).toBe("still here");
});

describe("a gateway that ends", () => {
  it("closes sockets with 1001, and is done when they are", async () => {
    const { client, server, gateway } = await open();
    // Longer than a test may take: it ends with its sockets, not with its time.
    await gateway.shutdown(0, 600_000);
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(await server.closed).toMatchObject({ code: 1000 });
  });

  it("waits for the answer under way", async () => {
    const { client, server, gateway } = await open({ "access-log": {} });
    server.send({ type: "response.created", response: { id: "r1" } });
    await client.next();
    const ended = gateway.shutdown(0, 10_000);
    server.send({ type: "response.done", response: { id: "r1" } });
    expect(await client.event()).toMatchObject({ type: "response.done" });
    expect(await client.closed).toMatchObject({ code: 1001 });
    await ended;
  });

  it("waits no longer than its limit", async () => {
    const { client, server, gateway } = await open({ "access-log": {} });
    server.send({ type: "response.created", response: { id: "r1" } });
    await client.next();
    await gateway.shutdown(0, 50);
    expect(await client.closed).toMatchObject({ code: 1001 });
    await server.closed;
  });

  it("does not wait for a client that takes nothing", async () => {
    const { client, server, gateway } = await open({ realtime: { bufferBytes: 64 * 1024 } });
    client.socket.pause();
    for (let n = 0; n < 100; n++) server.send(Buffer.alloc(256 * 1024));
    client.send("still heard");
    expect(await server.next()).toBe("still heard");
    await gateway.shutdown(0, 50);
    await server.closed;
    client.socket.terminate();
  });

  it("closes a client at once of which nothing more was read, since its provider takes nothing", async () => {
    const { client, server, gateway } = await open({ realtime: { bufferBytes: 64 * 1024 } });
    server.socket.pause();
    for (let n = 0; n < 100; n++) client.send(Buffer.alloc(256 * 1024));
    for (let left = 0, still = 0; still < 300; await setImmediate()) {
      still = client.socket.bufferedAmount === left ? still + 1 : 0;
      left = client.socket.bufferedAmount;
    }
    expect(client.socket.bufferedAmount).toBeGreaterThan(0);
    const over = gateway.shutdown(0, 60_000);
    expect(await client.closed).toMatchObject({ code: 1001 });
    server.socket.resume();
    await over;
  }, 15_000);

  it("lets sockets go on that were open when its config was read anew", async () => {
    const { client, server, gateway } = await open();
    expect(await gateway.reload()).toBe(true);
    client.send("one");
    expect(await server.next()).toBe("one");
  });
});
