import { describe, expect, it } from "vitest";
import { builtInFormats } from "../core/built-in-formats.ts";
import { operationsOf } from "../core/provider-kit/offered-operations.ts";
import type { CommonOptions } from "../core/provider-kit/provider-definition.ts";
import google from "./google.ts";

const { formats } = await builtInFormats();
const [chat] = operationsOf(google, {} as CommonOptions & Record<string, unknown>, formats).chat ?? [];
const told = (wire: Readonly<Record<string, unknown>>) => chat?.rewrite?.apply(wire);
const isLookedAt = (wire: object) => chat?.rewrite?.when.some((text) => JSON.stringify(wire).includes(text)) ?? false;

const functions = { functionDeclarations: [{ name: "f" }] };
const allowed = { includeServerSideToolInvocations: true };

describe("tools that Google runs itself are allowed beside functions", () => {
  it.each(["googleSearch", "googleMaps", "urlContext", "codeExecution", "fileSearch"])("%s", (name) => {
    const tools = [functions, { [name]: {} }];
    expect(told({ tools })).toEqual({ tools, toolConfig: allowed });
    expect(isLookedAt({ tools })).toBe(true);
  });

  it.each<[object, object]>([
    [{ mode: "AUTO" }, { mode: "VALIDATED" }],
    [{ mode: "NONE" }, { mode: "NONE" }],
    [
      { mode: "ANY", allowedFunctionNames: ["f"] },
      { mode: "ANY", allowedFunctionNames: ["f"] },
    ],
  ])("where calls are asked for by %j", (asked, said) => {
    const tools = [functions, { googleMaps: {} }];
    const retrievalConfig = { latLng: { latitude: 1, longitude: 2 } };
    expect(told({ tools, toolConfig: { functionCallingConfig: asked, retrievalConfig } })).toEqual({
      tools,
      toolConfig: { functionCallingConfig: said, retrievalConfig, ...allowed },
    });
  });

  it("as a chat client names them", () => {
    const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });
    const request = { model: "gemini-3.1-pro-preview", messages: [{ role: "user", content: "Hi" }] };
    const asked = formats.get("openai-chat")?.decodeRequest?.({
      ...request,
      tools: [tool("google_search"), tool("look")],
      tool_choice: "auto",
    });
    const wire = formats.get("gemini")?.encodeRequest?.(asked as never, () => {}) as Record<string, unknown>;
    expect(isLookedAt(wire)).toBe(true);
    expect(told(wire)?.toolConfig).toEqual({ functionCallingConfig: { mode: "VALIDATED" }, ...allowed });
  });
});

it.each<[string, object]>([
  ["functions alone", { tools: [functions] }],
  ["tools of Google's alone", { tools: [{ googleSearch: {} }, { functionDeclarations: [] }] }],
  [
    "a client's own word",
    { tools: [functions, { googleSearch: {} }], toolConfig: { includeServerSideToolInvocations: false } },
  ],
  ["what the client does itself", { tools: [functions, { computerUse: {} }] }],
  ["odd tools", { tools: "googleSearch" }],
])("%s: nothing changes", (_what, wire) => {
  expect(told({ ...wire })).toEqual(wire);
});

it.each([
  ["/v1/files", { "x-goog-api-key": "k" }, "/v1/files"],
  ["/v1/files", {}, "/v1beta/files"],
  ["/v1/proxy/files", { "x-goog-api-key": "k" }, "/v1beta/files"],
])("is asked raw in the version that its own clients ask for: %s with %j", (url, headers, path) => {
  expect(google.proxyPath?.("/files", {} as never, { url, headers })).toBe(path);
});
