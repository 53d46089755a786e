import { expect, it, onTestFinished } from "vitest";
import { deferred, startRawUpstream } from "../../../test/support/raw-upstream.ts";
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

it.each([
  ["for as long as it is told to", 1, {}],
  ["for as long as their host says, less than two seconds of it", 600_000, { "keep-alive": "timeout=2" }],
])("keeps connections that are idle %s", async (_, idleTimeout, headers) => {
  const ended = deferred<void>();
  const url = await startRawUpstream((request, response) => {
    request.socket.once("end", () => ended.resolve());
    response.writeHead(200, headers).end("x");
  });
  const rules = addressRules({ trustedHosts: ["127.0.0.1"], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 1, connectTimeout: 1_000, rules, idleTimeout });
  onTestFinished(() => transport.close());
  const call = { method: "GET", origin: url, path: "/", headers: {}, body: undefined, untrustedHost: false };
  transport.send(call, ignored);
  await ended.promise;
});
