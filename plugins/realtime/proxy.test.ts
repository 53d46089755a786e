import { describe, expect, it } from "vitest";
import { authority, stranger } from "../../test/support/certificates.ts";
import { startProxy } from "../../test/support/proxy.ts";
import { converse, dial, refusal, startRealtime, startVendor } from "./testing.ts";

const variablesFor = (url: string) => {
  const proxy = url.replace("://", "://user:hidden-password@");
  return { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, TLS_CA: authority };
};

const outcome = ({ status, text }: { readonly status: number; readonly text: string }) => ({
  status,
  text: JSON.parse(text),
});
const failure = { status: 500, text: { status: "failure", message: "Something went wrong" } };

describe.each([{ secure: true }, { secure: false }])("a socket behind a proxy, TLS: $secure", ({ secure }) => {
  it("is opened through a tunnel, and carries frames both ways", async () => {
    const proxy = await startProxy();
    const vendor = await startVendor(undefined, secure);
    const gateway = await startRealtime(vendor, {}, { variables: variablesFor(proxy.url) });
    const { client, server } = await converse(gateway, vendor);
    expect(proxy.asked).toMatchObject([{ method: "CONNECT", target: `127.0.0.1:${vendor.port}` }]);
    expect(proxy.asked[0]?.headers).toHaveProperty("proxy-authorization");
    expect(server.headers).not.toHaveProperty("proxy-authorization");
    client.send({ type: "ping" });
    expect(await server.event()).toEqual({ type: "ping" });
    server.send({ type: "pong" });
    expect(await client.event()).toEqual({ type: "pong" });
    client.socket.close(1000, "done");
    expect(await server.closed).toEqual({ code: 1000, reason: "done" });
    await proxy.left();
  });

  it("goes straight there where the host is excepted", async () => {
    const proxy = await startProxy();
    const vendor = await startVendor(undefined, secure);
    const variables = { ...variablesFor(proxy.url), NO_PROXY: "127.0.0.1" };
    await converse(await startRealtime(vendor, {}, { variables }), vendor);
    expect(proxy.asked).toEqual([]);
  });

  it.each([407, 502])("is refused where the proxy refuses with %s, and no more is said", async (refuses) => {
    const proxy = await startProxy({ refuses });
    const vendor = await startVendor(undefined, secure);
    const gateway = await startRealtime(vendor, {}, { variables: variablesFor(proxy.url) });
    expect(outcome(await refusal(gateway))).toMatchObject(failure);
    const lines = gateway.log.lines.map(({ fields }) => String((fields as { error?: Error }).error?.cause ?? ""));
    expect(lines.join("\n")).toContain(`The proxy ${proxy.name} refused the connection with ${refuses}`);
    expect(lines.join("\n")).not.toContain("hidden-password");
  });

  it("is refused where there is no proxy", async () => {
    const vendor = await startVendor(undefined, secure);
    const gateway = await startRealtime(vendor, {}, { variables: variablesFor("http://127.0.0.1:1") });
    expect(outcome(await refusal(gateway))).toMatchObject(failure);
    expect(vendor.asked).toEqual([]);
  });

  it("is given up while the proxy is silent: by its own clock, and when the client leaves", async () => {
    const proxy = await startProxy({ refuses: "silent" });
    const vendor = await startVendor(undefined, secure);
    const variables = variablesFor(proxy.url);
    const impatient = await startRealtime(vendor, { realtime: { openTimeout: 60 } }, { variables });
    expect(outcome(await refusal(impatient))).toMatchObject(failure);
    await proxy.left();
    const patient = await startRealtime(vendor, {}, { variables });
    const leaving = dial(patient);
    leaving.on("error", () => undefined);
    await expect.poll(() => proxy.asked.length).toBe(2);
    const left = proxy.left();
    leaving.terminate();
    await left;
  });

  it("does not lead to an address that may not be called", async () => {
    const proxy = await startProxy();
    const scheme = secure ? "https" : "http";
    const gateway = await startRealtime(
      { url: `${scheme}://169.254.169.254/v1` },
      {},
      { variables: variablesFor(proxy.url) },
    );
    expect((await refusal(gateway)).status).toBe(400);
    expect(proxy.asked).toEqual([]);
  });
});

it.each([false, true])("believes no vendor's certificate that nobody vouches for (proxied: %s)", async (proxied) => {
  const proxy = await startProxy();
  const vendor = await startVendor(undefined, true);
  const variables = { TLS_CA: stranger, ...(proxied && { HTTPS_PROXY: proxy.url }) };
  expect(outcome(await refusal(await startRealtime(vendor, {}, { variables })))).toMatchObject(failure);
  expect(vendor.asked).toEqual([]);
});

it("believes a vendor's certificate whose authority is in TLS_CA, without a proxy", async () => {
  const vendor = await startVendor(undefined, true);
  const { server } = await converse(await startRealtime(vendor, {}, { variables: { TLS_CA: authority } }), vendor);
  expect(server.url).toContain("/v1/realtime");
});
