import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { eventually } from "../support/calm.ts";
import { chunk, opening, startTwoVendors, type Vendor, well } from "../support/two-vendors.ts";
import { json } from "../support/upstream.ts";

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

it.each([
  ["whose bytes are made on the way", "content", { ending: "truncated", status: 200 }],
  ["of which nothing has come", "batch", { ending: "error", status: 408 }],
])("a shadow whose file never ends is ended so, too, %s", async (_, endlessly, ended) => {
  const row = `${JSON.stringify({ custom_id: "1", response: { status_code: 200, body: {} } })}\n`;
  const vendor =
    (said: string | undefined): Vendor =>
    ({ response, incoming }) => {
      const asked = incoming.url?.endsWith("/content") ? "content" : "batch";
      if (asked === said) return endless(response);
      if (asked === "content") return void response.end(row);
      json(response, 200, { id: "b", object: "batch", status: "completed", output_file_id: "o" });
    };
  const endless = (response: ServerResponse) => {
    const saying = setInterval(() => response.write(row), 5);
    response.once("close", () => clearInterval(saying));
  };
  const vendors = { alpha: vendor(undefined), beta: vendor(endlessly) };
  const { asked, lines, gateway } = await startTwoVendors(vendors, { clocks: { total: 1_000 } });
  const config = { strategy: { mode: "shadow" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
  const headers = { "x-gateway-config": JSON.stringify(config) };
  expect(await (await fetch(`${gateway.url}/v1/batches/b/output`, { headers })).text()).toBe(row);
  await eventually(() => expect(asked.filter(({ name }) => name === "beta")).not.toHaveLength(0));
  await eventually(() => expect(gateway.generation.active).toBe(0));
  const content = asked.findLast(({ name }) => name === "beta");
  await eventually(() => expect(content?.response.closed).toBe(true));
  expect(lines().find((line) => "role" in line)).toMatchObject({ role: "shadow", ...ended });
});
