import { describe, expect, it } from "vitest";
import { echoing, headersFrom } from "./subprotocols.ts";

const words = { key: "openai-insecure-api-key.", beta: "openai-beta" };
const echoed = echoing(words);
const from = (headers: Record<string, string>, kept = true) => headersFrom(headers, "x-gateway-", words, () => kept);
const offering = (...protocols: string[]) => ({ "sec-websocket-protocol": protocols.join(", ") });

describe("subprotocols", () => {
  it.each<[string, Record<string, string>, object]>([
    ["none", { host: "x" }, { host: "x" }],
    ["none of ours", offering("realtime"), offering("realtime")],
    [
      "a key",
      offering("realtime", "openai-insecure-api-key.k.1-2"),
      { ...offering("realtime"), authorization: "Bearer k.1-2" },
    ],
    ["nothing but a key", offering("openai-insecure-api-key.k"), { authorization: "Bearer k" }],
    [
      "a key beside a header",
      { ...offering("openai-insecure-api-key.k"), authorization: "Bearer h" },
      { authorization: "Bearer h" },
    ],
    ["an empty key", offering("openai-insecure-api-key."), {}],
    ["a beta", offering("openai-beta.realtime-v1"), { "openai-beta": "realtime=v1" }],
    ["a provider", offering("gateway-provider.my-slug"), { "x-gateway-provider": "@my-slug" }],
    [
      "a config and a trace",
      offering("gateway-config.c", "gateway-trace-id.t"),
      {
        "x-gateway-config": "c",
        "x-gateway-trace-id": "t",
      },
    ],
    [
      "a trace beside a header",
      { ...offering("gateway-trace-id.t"), "x-gateway-trace-id": "h" },
      { "x-gateway-trace-id": "h" },
    ],
    [
      "the gateway's own header for a beta",
      { "x-gateway-openai-beta": "realtime=v1" },
      { "openai-beta": "realtime=v1" },
    ],
    [
      "the vendor's header beside it",
      { "x-gateway-openai-beta": "realtime=v1", "openai-beta": "own" },
      { "openai-beta": "own" },
    ],
  ])("become headers: %s", (_, headers, wanted) => {
    const made = from(headers);
    expect(made).toMatchObject(wanted);
    expect(JSON.stringify(made["sec-websocket-protocol"] ?? "")).not.toContain("key");
  });

  it("leave the name of a provider that comes with the product as it is", () =>
    expect(from(offering("gateway-provider.openai"), false)).toMatchObject({ "x-gateway-provider": "openai" }));

  it.each<[string[], string | false]>([
    [["realtime"], "realtime"],
    [["openai-insecure-api-key.k", "realtime", "other"], "realtime"],
    [["openai-insecure-api-key.k"], false],
  ])("%j are answered with %j", (offered, answer) => expect(echoed(new Set(offered))).toBe(answer));
});
