import { describe, expect, it } from "vitest";
import { converse, refusal, startRealtime, startVendor } from "./testing.ts";

const key = "a-key-of-the-gateway-0123";

describe("a browser", () => {
  const plugins = { "auth-keys": { keys: [{ name: "web", key }] } };

  it("says in subprotocols what it cannot say in headers, and is answered with the first that has no key", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, { ...plugins, "access-log": { trace: true } });
    const { client, server } = await converse(gateway, vendor, {
      query: "model=m",
      headers: {},
      protocols: [
        `openai-insecure-api-key.${key}`,
        "realtime",
        "gateway-provider.oai",
        "gateway-trace-id.trace-7",
        "openai-beta.realtime-v1",
      ],
    });
    expect(client.socket.protocol).toBe("realtime");
    expect(client.headers["x-gateway-trace-id"]).toBe("trace-7");
    expect(server.headers).toMatchObject({ authorization: "Bearer sk-of-the-vendor", "openai-beta": "realtime=v1" });
    expect(JSON.stringify([server.url, server.headers])).not.toContain(key);
    client.socket.close();
    await server.closed;
    await gateway.shutdown(0, 1_000);
    expect(gateway.log.lines.filter(({ message }) => message === "request")).toHaveLength(1);
    expect(JSON.stringify(gateway.log.lines)).not.toContain(key);
  });

  it("may have its key in the query, which does not go on", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, plugins);
    const { server } = await converse(gateway, vendor, { query: `model=@oai/m&key=${key}`, headers: {} });
    expect(server.url).toBe("/v1/realtime?model=m");
  });

  it("names a saved config", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, plugins);
    const { server } = await converse(gateway, vendor, {
      query: "model=m",
      headers: {},
      protocols: ["realtime", `openai-insecure-api-key.${key}`, "gateway-config.saved"],
    });
    expect(server.url).toBe("/v1/realtime?model=m");
  });

  it("is refused with a wrong key before anybody is called", async () => {
    const vendor = await startVendor();
    const gateway = await startRealtime(vendor, plugins);
    const protocols = ["realtime", "openai-insecure-api-key.nobody"];
    expect(await refusal(gateway, { headers: {}, protocols })).toMatchObject({ status: 401 });
    expect(vendor.asked).toEqual([]);
  });
});
