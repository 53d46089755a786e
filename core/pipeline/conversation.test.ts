import { describe, expect, it } from "vitest";
import type { Attempt } from "../model/attempt.ts";
import type { Transport, UpstreamCall } from "../model/provider.ts";
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
});
