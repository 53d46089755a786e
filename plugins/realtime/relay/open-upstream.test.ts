import { expect, it } from "vitest";
import { GatewayError } from "../../../core/index.ts";
import { realtimeOptions } from "../options.ts";
import { openUpstream } from "./open-upstream.ts";

const options = realtimeOptions.parse({});
const call = (cause: Error, signal = new AbortController().signal) => ({
  url: "ws://provider.example/v1/realtime",
  headers: {},
  connection: () => ({
    lookup: (_: string, __: object, done: (error: Error, address: string, family: number) => void) =>
      done(cause, "", 0),
  }),
  signal,
  answered: () => undefined,
});

it.each([
  [new GatewayError("address_blocked", "Upstream address is not allowed."), "address_blocked"],
  [new GatewayError("upstream_unreachable", "The proxy cannot be reached."), "socket_refused"],
  [new Error("There is no such host."), "socket_refused"],
])("connects to what the lookup finds, and tells %s", async (cause, code) => {
  await expect(openUpstream(call(cause), options)).rejects.toMatchObject({ code });
});

it("opens nothing for a client that is gone", async () => {
  const signal = AbortSignal.abort();
  await expect(openUpstream(call(new Error("asked"), signal), options)).rejects.toMatchObject({ code: "client_gone" });
});
