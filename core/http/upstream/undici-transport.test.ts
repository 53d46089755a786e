import { expect, it, onTestFinished } from "vitest";
import { startUpstream } from "../../../test/support/upstream.ts";
import type { UpstreamListener } from "../../model/transport.ts";
import { addressRules } from "./address-rules.ts";
import { undiciTransport } from "./undici-transport.ts";

const ignored: UpstreamListener = { connected() {}, headers() {}, data() {}, end() {}, error() {} };

it("says of a call that it took the last connection, or waits for one", async () => {
  const { url } = await startUpstream(() => undefined);
  const rules = addressRules({ trustedHosts: ["127.0.0.1"], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 1_000, rules });
  onTestFinished(() => transport.close());
  const call = { method: "GET", origin: url, path: "/", headers: {}, body: undefined, untrustedHost: false };
  const taken = [1, 2, 3].map(() => transport.send(call, ignored).full);
  expect(taken).toEqual([false, true, true]);
});
