import { expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { chunk, opening, startTwoVendors, type Vendor, well } from "../support/two-vendors.ts";

it.each([
  ["that is read", "/v1/chat/completions"],
  ["of a raw call", "/v1/proxy/chat/completions"],
])("a shadow whose stream never ends is ended when an attempt would be over, %s", async (_, path) => {
  const endless: Vendor = ({ response }) => {
    opening(response);
    const saying = setInterval(() => response.write(chunk({ content: "more " })), 5);
    response.once("close", () => clearInterval(saying));
  };
  const vendors = { alpha: well("alpha"), beta: endless };
  const { asked, lines, gateway } = await startTwoVendors(vendors, { clocks: { total: 1_000 } });
  const config = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
  const headers = { "content-type": "application/json", "x-gateway-config": JSON.stringify(config) };
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
  expect(await (await fetch(gateway.url + path, { method: "POST", headers, body })).text()).toContain("from alpha");
  await eventually(() => expect(gateway.generation.active).toBe(0));
  const beta = asked.find(({ name }) => name === "beta");
  await eventually(() => expect(beta?.response.closed).toBe(true));
  expect(lines().find((line) => "role" in line)).toMatchObject({ role: "shadow", ending: "truncated" });
});
