import { describe, expect, it } from "vitest";
import { startTestGateway } from "../../test/support/gateway.ts";

const config = (open: object) =>
  JSON.stringify({
    plugins: { "auth-open": open, routing: { default: "simulator" }, "format-openai-chat": {} },
    providers: { simulator: {} },
  });

async function statusWith(headers: Record<string, string>, open: object = {}): Promise<number> {
  const { url } = await startTestGateway(config(open));
  const body = JSON.stringify({ model: "demo", messages: [{ role: "user", content: "Hello" }] });
  const asked = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
  return (await fetch(`${url}/v1/chat/completions`, asked)).status;
}

describe("a request that a proxy on this machine passes on", () => {
  it.each(["127.0.0.1", "::1", "[::1]:4711", "127.0.0.1:4711, 127.0.0.2", "::ffff:127.0.0.1"])(
    "is let in from this machine (%s)",
    async (address) => {
      expect(await statusWith({ "x-forwarded-for": address, "x-real-ip": address })).toBe(200);
    },
  );

  it.each([
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-for", "203.0.113.9, 127.0.0.1"],
    ["x-forwarded-for", "127.0.0.1, [2001:db8::7]:443"],
    ["x-forwarded-for", "unknown"],
    ["x-real-ip", "203.0.113.9"],
  ])("is refused from elsewhere (%s: %s)", async (header, value) => {
    expect(await statusWith({ [header]: value })).toBe(403);
    expect(await statusWith({ [header]: value }, { allowRemote: true })).toBe(200);
  });
});
