import { afterEach, describe, expect, it, vi } from "vitest";
import type { Attempt } from "../../model/attempt.ts";
import type { Transport, UpstreamCall } from "../../model/transport.ts";
import { Conversation } from "./conversation.ts";

const attempt = { target: { path: "config", provider: { slug: "eu-models" } }, startedAt: 0 } as unknown as Attempt;
const call = (origin: string): UpstreamCall => ({
  method: "POST",
  origin,
  path: "/v1/chat/completions?key=hidden",
  headers: {},
  body: undefined,
  untrustedHost: false,
});
const failing = (code: string): Transport => ({
  send() {
    throw Object.assign(new Error("no"), { code });
  },
});
const told = (origin: string, code: string) =>
  new Conversation({ clocks: {}, stream: false, attempt, clock: { elapsed: () => 0 } })
    .start(failing(code), call(origin))
    .reply.then(
      () => "",
      (error: Error) => error.message,
    );

describe("a connection that fails", () => {
  it("is told with the provider and its host", async () => {
    const message = await told("https://models.example:8443", "ENOTFOUND");
    expect(message).toBe("The connection to eu-models (models.example:8443) failed (ENOTFOUND).");
  });

  it("keeps the credentials and the path of a base URL to itself", async () => {
    const message = await told("https://user:pass%40word@[::1]:99", "ECONNRESET");
    expect(message).toBe("The connection to eu-models ([::1]:99) failed (ECONNRESET).");
  });

  it("names them, too, where nobody accepts it in time", async () => {
    const message = await told("http://10.0.0.1", "UND_ERR_CONNECT_TIMEOUT");
    expect(message).toBe("eu-models (10.0.0.1) did not accept a connection in time.");
  });

  it("says so where as many are taken as there may be", async () => {
    vi.useFakeTimers();
    const handle = { full: true, abort() {}, pause() {}, resume() {} };
    const options = { clocks: { connect: 100 }, stream: false, attempt, clock: { elapsed: () => 0 } };
    const { reply } = new Conversation(options).start({ send: () => handle }, call("http://10.0.0.1"));
    vi.advanceTimersByTime(100);
    await expect(reply).rejects.toThrow(
      "eu-models (10.0.0.1) did not accept a connection within 100 ms; as many are open, or being opened, as server.connectionsPerHost allows.",
    );
  });

  it("is given up in time, too, where an earlier call of the attempt had one", async () => {
    vi.useFakeTimers();
    const handle = { full: false, abort() {}, pause() {}, resume() {} };
    const second = { ...attempt, connectedAt: 1 };
    const options = { clocks: { connect: 100 }, stream: false, attempt: second, clock: { elapsed: () => 0 } };
    const { reply } = new Conversation(options).start({ send: () => handle }, call("http://10.0.0.1"));
    vi.advanceTimersByTime(100);
    await expect(reply).rejects.toThrow("eu-models (10.0.0.1) did not accept a connection within 100 ms.");
  });
  afterEach(() => vi.useRealTimers());
});
