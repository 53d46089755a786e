import { describe, expect, it } from "vitest";
import { openAiResponses } from "./index.ts";
import { calledAs, nameIn } from "./namespaces.ts";

const parameters = { type: "object", properties: {} };
const group = (name: string, names: readonly string[], more = {}) => ({
  type: "namespace",
  name,
  ...more,
  tools: names.map((one) => ({ type: "function", name: one, parameters, defer_loading: true })),
});
const custom = { type: "custom", name: "note", description: "Writes.", format: { type: "text" } };

describe("groups of tools", () => {
  it("are written as they were read", () => {
    const written = {
      model: "m",
      tools: [
        { type: "function", name: "get", parameters, strict: true },
        group("crm", ["get", "set"], { description: "Customers." }),
        group("shop", ["get"]),
        { type: "namespace", name: "notes", tools: [custom, { ...custom, name: "other" }] },
        { type: "namespace", name: "empty", tools: [] },
        { type: "namespace", name: "odd", tools: [{ type: "web_search" }] },
        { ...group("new", ["get"]), deferred: true },
      ],
      input: [
        { type: "message", role: "user", content: "Look." },
        { type: "function_call", call_id: "1", namespace: "crm", name: "get", arguments: "{}" },
        { type: "custom_tool_call", call_id: "2", namespace: "notes", name: "note", input: "n" },
      ],
    };
    const decoded = openAiResponses.decodeRequest(structuredClone(written));
    expect(openAiResponses.encodeRequest(decoded, () => undefined)).toEqual(written);
    const names = decoded.tools?.map((tool) => (tool.type === "function" ? tool.name : tool.type));
    const flat = ["get", "crm__get", "crm__set", "shop__get", "notes__note", "notes__other"];
    expect(names).toEqual([...flat, "native", "native", "native"]);
  });

  it("are refused where they are none", () => {
    const decode = (tool: object) => () => openAiResponses.decodeRequest({ model: "m", input: "Look.", tools: [tool] });
    expect(decode({ type: "namespace", tools: [] })).toThrow(/tools\[0\]\.name/);
    expect(decode({ type: "namespace", name: "crm" })).toThrow(/tools\[0\]\.tools/);
    expect(decode({ type: "namespace", name: "crm", tools: [{ type: "function" }] })).toThrow(
      /tools\[0\]\.tools\[0\]\.name/,
    );
  });

  it("are found in what a client wrote, whatever else is there", () => {
    const names = [...calledAs({ tools: [null, 1, { type: "namespace" }, group("crm", ["get"]), custom] })];
    expect(names).toEqual([
      ["crm__get", { group: { name: "get", namespace: "crm" }, free: false }],
      ["note", { group: undefined, free: true }],
    ]);
    expect(calledAs(undefined).size).toBe(0);
    expect(calledAs({ tools: "none" }).size).toBe(0);
  });

  it("give names of 64 characters at most, the same each time", () => {
    expect(nameIn("a".repeat(31), "b".repeat(31))).toHaveLength(64);
    const long = nameIn("a".repeat(32), "b".repeat(31));
    expect(long).toHaveLength(64);
    expect(long).toBe(nameIn("a".repeat(32), "b".repeat(31)));
    expect(long).not.toBe(nameIn("a".repeat(32), `${"b".repeat(30)}c`));
    expect(nameIn(undefined, "get")).toBe("get");
    expect(nameIn("", "get")).toBe("get");
  });
});
