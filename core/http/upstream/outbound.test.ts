import { describe, expect, it, onTestFinished } from "vitest";
import { startUpstream } from "../../../test/support/upstream.ts";
import { addressRules } from "./address-rules.ts";
import { type OutboundCall, outbound } from "./outbound.ts";
import { undiciTransport } from "./undici-transport.ts";

const rules = addressRules({ trustedHosts: [], ownHosts: [] });

function caller() {
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 2000, rules });
  onTestFinished(() => transport.close());
  const fetch = outbound(transport, rules);
  return (url: string, more: Partial<OutboundCall> = {}) =>
    fetch({ url, timeout: 5000, mostBytes: 1000, trusted: true, ...more });
}

describe("a call on the gateway's own account", () => {
  it("comes back whole", async () => {
    const { url, received } = await startUpstream(({ body }, response) => {
      response.writeHead(302, { "x-its": "header", location: "http://elsewhere.example/" });
      response.end(`got ${body}`);
    });
    const body = Buffer.from("it");
    const answer = await caller()(`${url}/a?b=c`, { method: "POST", headers: { accept: "text/plain" }, body });
    expect(answer).toMatchObject({ status: 302, headers: { "x-its": "header" } });
    expect(answer.body.toString()).toBe("got it");
    expect(received).toMatchObject([{ method: "POST", url: "/a?b=c", headers: { accept: "text/plain" } }]);
  });

  it.each<[string, string, Partial<OutboundCall>, string]>([
    ["is not let go on for ever", "/silent", { timeout: 30 }, "request_timeout"],
    ["is not let grow for ever", "/large", {}, "upstream_too_large"],
    ["says that nobody is there", "/gone", {}, "upstream_unreachable"],
  ])("%s", async (_, path, more, code) => {
    const { url } = await startUpstream((request, response, incoming) => {
      if (request.url === "/large") response.end("x".repeat(1001));
      if (request.url === "/gone") incoming.socket.destroy();
    });
    await expect(caller()(url + path, more)).rejects.toMatchObject({ code });
  });

  it.each<[string, string, boolean]>([
    ["a metadata service, whoever names it", "http://169.254.169.254/latest", true],
    ["a private address that was not named in the file", "http://10.1.2.3/jwks", false],
    ["what is no address of a server", "file:///etc/passwd", false],
  ])("does not go to %s", async (_, url, trusted) => {
    await expect(caller()(url, { trusted })).rejects.toMatchObject({ code: "address_blocked" });
  });
});
