import { describe, expect, it } from "vitest";
import { decodeRequest } from "./decode-request.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";

const parameters = { type: "object", properties: { query: { type: "string" } } };
const search = { type: "tool_search", execution: "client", description: "Finds tools.", parameters };
const tool = (name: string, more: object = {}) => ({ type: "function", name, parameters: { type: "object" }, ...more });
const deferred = (name: string) => tool(name, { defer_loading: true });
const group = { type: "namespace", name: "crm", description: "Customers.", tools: [deferred("get")] };
const asking = (id: string | null, query = "crm") => ({
  type: "tool_search_call",
  call_id: id,
  execution: id === null ? "server" : "client",
  arguments: { query },
});
const found = (id: string | null, ...tools: object[]) => ({
  type: "tool_search_output",
  call_id: id,
  execution: id === null ? "server" : "client",
  tools,
});
const user = { role: "user", content: "Look." };

const asked = (wire: object) => decodeRequest({ model: "m", input: [user], ...wire });
const meant = (wire: object) => meantElsewhere(asked(wire));
const namesOf = (wire: object) => meant(wire).tools?.map((one) => (one.type === "function" ? one.name : one.type));

describe("a search that the client makes", () => {
  it("is a function to vendors of other formats", () => {
    expect(meant({ tools: [search] }).tools).toEqual([
      { type: "function", name: "tool_search", description: "Finds tools.", parameters },
    ]);
  });

  it("is called and answered like one, and brings what it found", () => {
    const { messages, tools } = meant({
      tools: [search],
      input: [
        user,
        asking("1"),
        found("1", group, tool("other")),
        { type: "function_call", call_id: "2", namespace: "crm", name: "get", arguments: "{}" },
      ],
    });
    expect(messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [{ type: "tool-call", id: "1", name: "tool_search", arguments: '{"query":"crm"}' }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            content: [{ type: "text", text: "These tools can be called now: crm__get, other." }],
          },
        ],
      },
      { role: "assistant", content: [expect.objectContaining({ id: "2", name: "crm__get" })] },
    ]);
    expect(tools?.map((one) => one.type === "function" && [one.name, one.extra?.fields])).toEqual([
      ["tool_search", undefined],
      ["crm__get", {}],
      ["other", {}],
    ]);
  });

  it("goes beside other calls", () => {
    const { messages } = meant({
      tools: [search, tool("a")],
      input: [
        user,
        { type: "function_call", call_id: "1", name: "a", arguments: "{}" },
        asking("2"),
        { type: "function_call_output", call_id: "1", output: "A." },
        found("2"),
        { role: "assistant", content: "None." },
      ],
    });
    const told = messages.map(({ role, content }) => [
      role,
      content.map((part) => (part.type === "tool-result" ? part.toolCallId : part.type)),
    ]);
    expect(told).toEqual([
      ["user", ["text"]],
      ["assistant", ["tool-call", "tool-call"]],
      ["tool", ["1", "2"]],
      ["assistant", ["text"]],
    ]);
    expect(messages[2]?.content[1]).toMatchObject({ content: [{ text: "No tool was found." }] });
  });
});

describe("tools for vendors of other formats", () => {
  it.each<[string, object, string[] | undefined]>([
    ["wait for a search of the client's", { tools: [search, tool("a"), deferred("b"), group] }, ["tool_search", "a"]],
    [
      "are in their place once it found them",
      { tools: [search, deferred("b"), tool("a")], input: [user, asking("1"), found("1", deferred("b"))] },
      ["tool_search", "b", "a"],
    ],
    ["do not wait for one of the vendor's", { tools: [{ type: "tool_search" }, deferred("b")] }, ["native", "b"]],
    [
      "are those that the vendor's found, too",
      { tools: [tool("a")], input: [user, asking(null), found(null, tool("b")), user] },
      ["a"],
    ],
    [
      "are those that came on the way",
      {
        tools: [tool("a")],
        input: [{ type: "additional_tools", role: "developer", tools: [tool("b"), tool("a")] }, user],
      },
      ["a", "b"],
    ],
    [
      "are there without the search where one of them is called so",
      { tools: [search, tool("tool_search")] },
      ["native", "tool_search"],
    ],
    [
      "are not what was found where nobody searches any more",
      { tools: [tool("a")], input: [user, asking("1"), found("1", tool("b")), user] },
      ["a"],
    ],
  ])("%s", (_, wire, names) => {
    expect(namesOf(wire)).toEqual(names);
  });

  it("are those of the request where nothing brings any", () => {
    const request = asked({ tools: [tool("a"), { type: "web_search" }] });
    expect(meantElsewhere(request)).toBe(request);
  });

  it("are refused in the words of the place where they are none", () => {
    expect(() => meant({ input: [user, asking("1"), found("1", { type: "function" })] })).toThrow(
      /input\[\*\]\.tools\[0\]/,
    );
  });
});

describe("what a client wants called", () => {
  const shell = { type: "shell", environment: { type: "local" } };
  const patch = { type: "apply_patch" };
  const custom = { type: "custom", name: "run" };
  const tools = [shell, patch, custom, tool("a"), search];
  const among = (...allowed: object[]) => ({ type: "allowed_tools", mode: "required", tools: allowed });

  it.each<[object, object]>([
    [{ type: "shell" }, { type: "tool", name: "shell" }],
    [{ type: "apply_patch" }, { type: "tool", name: "apply_patch" }],
    [custom, { type: "tool", name: "run", custom: true }],
    [
      among({ type: "shell" }, { type: "apply_patch" }),
      { type: "among", required: true, names: ["shell", "apply_patch"] },
    ],
    [
      among(custom, { type: "function", name: "a" }, { type: "shell" }),
      { type: "among", required: true, names: ["run", "a", "shell"] },
    ],
  ])("is wanted of the function it has become: %j", (tool_choice, toolChoice) => {
    const request = meant({ tools, tool_choice });
    expect(request.toolChoice).toEqual(toolChoice);
    expect(request.extra?.fields).not.toHaveProperty("tool_choice");
  });

  it("is left to vendors of this format where it is a tool of theirs", () => {
    const hosted = { type: "file_search" };
    const left = (tool_choice: object, more: object = {}) => meant({ tools, ...more, tool_choice });
    expect(left(hosted)).toMatchObject({ extra: { fields: { tool_choice: hosted } } });
    const container = { type: "shell", environment: { type: "container_auto" } };
    const choice = { type: "shell" };
    expect(left(choice, { tools: [container, patch] }).extra?.fields).toEqual({ tool_choice: choice });
    expect(left(among(hosted, { type: "shell" }, custom)).extra?.fields).toEqual({
      tool_choice: among(hosted, { type: "function", name: "shell" }, { type: "function", name: "run" }),
    });
  });
});

describe("settings that change on the way", () => {
  const update = (more: object) => ({ type: "configuration_update", id: "cu_1", ...more });
  const schema = { type: "object", properties: {}, additionalProperties: false };
  const json = { type: "json_schema", name: "answer", schema };

  it.each<[string, object[], object, object]>([
    [
      "the last of each",
      [
        update({ reasoning: { effort: "low" }, text: { format: json } }),
        user,
        update({ reasoning: { effort: "high" } }),
      ],
      { reasoning: { effort: "minimal", summary: "auto" } },
      {
        reasoning: { effort: "high", display: "summarized" },
        responseFormat: { type: "json-schema", name: "answer", schema },
      },
    ],
    [
      "plain text again",
      [update({ text: { format: { type: "text" } } })],
      { text: { format: json } },
      { responseFormat: { type: "text" } },
    ],
    ["nothing that is null", [update({ reasoning: { effort: null }, text: null })], {}, {}],
  ])("are those of the request where nobody knows the change: %s", (_, updates, settings, told) => {
    const { messages, reasoning, responseFormat } = meant({
      input: [user, { role: "assistant", content: "I see." }, ...updates, user],
      ...settings,
    });
    expect(JSON.parse(JSON.stringify({ reasoning, responseFormat }))).toEqual(told);
    expect(messages.filter(({ role }) => role !== "user")).toMatchObject([{ content: [{ text: "I see." }] }]);
    expect(JSON.stringify(messages)).not.toContain("configuration_update");
  });

  it("are lost by name where there are no words for them", () => {
    const { messages } = meant({ input: [user, update({ reasoning: { effort: "low", mode: "pro" } }), user] });
    expect(messages[1]).toMatchObject({ content: [{ type: "opaque", value: { type: "configuration_update" } }] });
  });
});
