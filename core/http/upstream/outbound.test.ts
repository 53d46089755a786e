import { describe, expect, it, onTestFinished } from "vitest";
import { json, startSecureUpstream, startUpstream } from "../../../test/support/upstream.ts";
import { silentLogger } from "../../log.ts";
import { addressRules } from "./address-rules.ts";
import { type OutboundRequest, outbound } from "./outbound.ts";
import { undiciTransport } from "./undici-transport.ts";

function asking(trustedHosts: readonly string[] = ["127.0.0.1"]) {
  const rules = addressRules({ trustedHosts, ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 1_000, rules });
  onTestFinished(() => transport.close());
  const ask = outbound(transport, rules, silentLogger);
  return (url: string, more: Partial<OutboundRequest> = {}) =>
    ask({ method: "GET", url, trusted: false, timeout: 2_000, ...more });
}

describe("what plugins ask hosts", () => {
  it("is sent as it is, and what is answered comes back", async () => {
    const { url, received } = await startUpstream((_, response) => json(response, 404, { a: "ü" }));
    const answer = await asking()(`${url}/v1/x?b=2`, { method: "POST", headers: { "x-a": "1" }, body: '{"c":3}' });
    expect(answer).toMatchObject({ status: 404, text: '{"a":"ü"}', headers: { "content-type": "application/json" } });
    expect(received[0]).toMatchObject({ method: "POST", url: "/v1/x?b=2", headers: { "x-a": "1" } });
    expect(received[0]?.body.toString()).toBe('{"c":3}');
  });

  it("comes back as bytes, or without a body, where that is asked for", async () => {
    const { url, received } = await startUpstream((_, response) => response.end(Buffer.from([0xff, 0x00])));
    const ask = asking();
    expect(await ask(url, { bytes: true })).toMatchObject({ text: "", bytes: Buffer.from([0xff, 0x00]) });
    expect(await ask(url, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    expect(received.map(({ method }) => method)).toEqual(["GET", "HEAD"]);
  });

  it("follows no redirect", async () => {
    const { url, received } = await startUpstream((_, response) => json(response, 302, {}, { location: "/elsewhere" }));
    expect((await asking()(url)).status).toBe(302);
    expect(received).toHaveLength(1);
  });

  it.each<[string, Partial<OutboundRequest>, string]>([
    ["http://169.254.169.254/latest", { trusted: true }, "address_blocked"],
    ["http://169.254.169.254/latest", {}, "address_blocked"],
    ["http://10.0.0.1/", {}, "address_blocked"],
    ["ftp://127.0.0.1/", {}, "address_blocked"],
    ["http://127.0.0.1:1/", { trusted: true }, "upstream_unreachable"],
  ])("%s, %j: %s", async (url, more, code) => {
    await expect(asking()(url, more)).rejects.toMatchObject({ code });
  });

  it("says why a host cannot be reached, and to the operator what can be done", async () => {
    const { url } = await startSecureUpstream((_, response) => response.end());
    const [, host] = url.split("//");
    const reason = `${host} cannot be reached (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`;
    await expect(asking()(url)).rejects.toMatchObject({ message: `${reason}.` });
    await expect(asking()(url, { trusted: true })).rejects.toMatchObject({
      message: expect.stringContaining(`${reason}: name the authority`),
    });
  });

  it("is refused in words where a header of it is none that HTTP allows", async () => {
    const { url, received } = await startUpstream((_, response) => json(response, 200, {}));
    const asked = asking()(url, { trusted: true, headers: { "x-key": "secret\nmore" } });
    await expect(asked).rejects.toMatchObject({
      code: "upstream_unreachable",
      message: expect.stringMatching(/\(UND_ERR_INVALID_ARG\): a header .* look for line breaks(?!.*secret)/),
    });
    expect(received).toEqual([]);
  });

  it("goes to a private address on the operator's word only", async () => {
    const { url } = await startUpstream((_, response) => json(response, 200, {}));
    const ask = asking([]);
    await expect(ask(url)).rejects.toMatchObject({ code: "address_blocked" });
    expect((await ask(url, { trusted: true })).status).toBe(200);
  });

  it("is given up when it takes too long or is too much", async () => {
    const slow = await startUpstream(() => undefined);
    const large = await startUpstream((_, response) => response.end("x".repeat(100)));
    const broken = await startUpstream((_, response) => response.destroy());
    const ask = asking();
    await expect(ask(slow.url, { timeout: 20 })).rejects.toMatchObject({ code: "request_timeout" });
    await expect(ask(large.url, { mostBytes: 99 })).rejects.toMatchObject({ code: "upstream_too_large" });
    expect((await ask(large.url, { mostBytes: 100, timeout: 2 ** 32 })).text).toHaveLength(100);
    await expect(ask(broken.url)).rejects.toMatchObject({ code: "upstream_unreachable" });
  });

  it("is given up at once when nobody waits for it any more", async () => {
    const slow = await startUpstream(() => undefined);
    const ask = asking();
    const gone = new AbortController();
    const asked = ask(slow.url, { signal: gone.signal });
    await expect.poll(() => slow.received.length).toBe(1);
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: "client_gone" });
    await expect.poll(() => slow.connections()).toBe(0);
    await expect(ask(slow.url, { signal: gone.signal })).rejects.toMatchObject({ code: "client_gone" });
    expect(slow.received).toHaveLength(1);
  });
});
