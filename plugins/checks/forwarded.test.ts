import { describe, expect, it } from "vitest";
import type { CheckUse, Exchange } from "../../core/index.ts";
import { forwardedOf } from "./forwarded.ts";

const forwarded = (headers: Record<string, string>, names = Object.keys(headers), prefix = "x-gateway-") => {
  const gatewayHeaders: Exchange["gatewayHeaders"] = {
    get: (name) => headers[`${prefix}${name}`],
    isEmpty: () => false,
    nameOf: (name) => `${prefix}${name}`,
  };
  const use: CheckUse = { trusted: false, forwardHeaders: names, headers, exchange: { gatewayHeaders } as Exchange };
  return forwardedOf(use);
};

const trace = "0af7651916cd43dd8448eb211c80319c";
const span = "b7ad6b7169203331";
const hashed = "0fc89f8ae19394b48debd6353bb9ad33";

describe("the traceparent of what a check asks", () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ["is the client's", { traceparent: `00-${trace}-${span}-00`, "x-gateway-trace-id": "t" }, `00-${trace}-${span}-00`],
    [
      "is made of the trace and the span a client names",
      { "x-gateway-trace-id": trace, "x-gateway-span-id": span },
      `00-${trace}-${span}-01`,
    ],
    ["stands in place of one that is none", { traceparent: "x", "x-gateway-trace-id": trace }, `00-${trace}-`],
    ["has a digest of a trace that is named otherwise", { "x-gateway-trace-id": "order 7" }, `00-${hashed}-`],
    ["is absent where there is no trace", {}, undefined],
    ["is absent where there is one that is none", { traceparent: `00-${"0".repeat(32)}-${span}-01` }, undefined],
  ])("%s", (_, headers, expected) => {
    const { traceparent } = forwarded(headers, ["traceparent"]);
    expect(traceparent?.slice(0, expected?.length)).toBe(expected);
    if (traceparent !== undefined) expect(traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-0[01]$/);
    expect(forwarded(headers, [])).toEqual({});
  });
});

it("keeps the gateway's own headers back, whatever their prefix is, but those of traces", () => {
  const headers = { "x-acme-api-key": "k", "x-acme-config": "c", "x-acme-trace-id": "t", "x-team": "a" };
  expect(forwarded(headers, undefined, "x-acme-")).toEqual({ "x-acme-trace-id": "t", "x-team": "a" });
});
