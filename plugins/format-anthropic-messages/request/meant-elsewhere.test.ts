import { describe, expect, it } from "vitest";
import type { ChatRequest, Tool } from "../../../core/index.ts";
import { decodeRequest } from "./decode-request.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";
import { refuseElsewhere } from "./refuse-elsewhere.ts";

const user = (content: unknown = "Go on.") => ({ role: "user", content });
const system = (content: unknown, more: object = {}) => ({ role: "system", content, ...more });
const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: "object" }, ...more });
const deferred = (name: string) => tool(name, { defer_loading: true });
const reference = (name: string) => ({ type: "tool_reference", name });
const addition = (name: string) => ({ type: "tool_addition", tool: reference(name) });
const removal = (name: string) => ({ type: "tool_removal", tool: reference(name) });
const defined = (name: string) => ({
  type: "tool_addition",
  tool: { type: "tool_definition", definition: tool(name) },
});
const search = { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" };
const found = (...names: string[]) => [
  { role: "assistant", content: [{ type: "tool_use", id: "c", name: "find", input: {} }] },
  user([
    {
      type: "tool_result",
      tool_use_id: "c",
      content: names.map((name) => ({ type: "tool_reference", tool_name: name })),
    },
  ]),
];

const asked = (wire: object) => decodeRequest({ model: "m", max_tokens: 9, messages: [user()], ...wire });
const meant = (wire: object) => meantElsewhere(asked(wire));
const namesOf = ({ tools }: ChatRequest) =>
  tools?.map((one: Tool) => (one.type === "function" ? one.name : (one.value as { name: string }).name));
const textsOf = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) =>
    content.flatMap((part) => {
      const parts = part.type === "tool-result" ? part.content : [part];
      return parts.map((one) => `${role}: ${one.type === "text" ? one.text : one.type}`);
    }),
  );

describe("tools of a conversation that others answer", () => {
  it.each<[string, object, string[] | undefined]>([
    ["are those of the list", { tools: [tool("a"), tool("b")] }, ["a", "b"]],
    ["wait where they are deferred", { tools: [tool("a"), deferred("b")] }, ["a"]],
    ["are none where all of them wait", { tools: [deferred("a")] }, undefined],
    [
      "are there once a result named them, in their place",
      { tools: [deferred("a"), tool("find"), deferred("b")], messages: [user(), ...found("a")] },
      ["a", "find"],
    ],
    [
      "are all there where the vendor was to search for them",
      { tools: [search, deferred("a"), deferred("b")] },
      ["tool_search_tool_regex", "a", "b"],
    ],
    [
      "are there where the vendor's search found them",
      {
        tools: [deferred("a"), deferred("b")],
        messages: [
          user(),
          {
            role: "assistant",
            content: [
              {
                type: "tool_search_tool_result",
                tool_use_id: "s",
                content: {
                  type: "tool_search_tool_search_result",
                  tool_references: [{ type: "tool_reference", tool_name: "b" }],
                },
              },
            ],
          },
          user(),
        ],
      },
      ["b"],
    ],
    ["are offered on the way", { tools: [deferred("a")], messages: [user(), system([addition("a")])] }, ["a"]],
    [
      "are defined on the way",
      { tools: [tool("a")], messages: [user(), system([defined("b"), { type: "text", text: "New." }])] },
      ["a", "b"],
    ],
    ["are defined where there were none", { messages: [user(), system([defined("b")])] }, ["b"]],
    ["are taken back", { tools: [tool("a"), tool("b")], messages: [user(), system([removal("a")])] }, ["b"]],
    [
      "are what the last change makes them",
      {
        tools: [tool("a"), deferred("b")],
        messages: [user(), system([removal("a"), addition("b")]), user(), system([removal("b"), addition("a")])],
      },
      ["a"],
    ],
    [
      "are there where one has to be called",
      { tools: [tool("a"), deferred("b")], tool_choice: { type: "tool", name: "b" } },
      ["a", "b"],
    ],
    [
      "are what a summary says of what it sums up",
      {
        tools: [tool("a"), deferred("b")],
        messages: [
          { role: "assistant", content: [{ type: "compaction", content: "Sum.", tool_changes: [addition("b")] }] },
          user(),
        ],
      },
      ["a", "b"],
    ],
    [
      "are not those of MCP servers",
      {
        tools: [tool("a")],
        messages: [
          user(),
          system([{ type: "tool_addition", tool: { type: "mcp_toolset_reference", server_name: "s" } }]),
        ],
      },
      ["a"],
    ],
  ])("%s", (_, wire, names) => {
    expect(namesOf(meant(wire))).toEqual(names);
  });

  it("do not say any more that they waited", () => {
    const { tools } = meant({ tools: [deferred("a")], messages: [user(), system([addition("a")])] });
    expect(tools).toEqual([expect.objectContaining({ name: "a", extra: expect.objectContaining({ fields: {} }) })]);
  });
});

describe("what is said about calling, where no tool is left", () => {
  const choice = { type: "auto", disable_parallel_tool_use: true };
  it.each<[string, object, object]>([
    ["goes with them", { tools: [deferred("a")], tool_choice: choice }, {}],
    [
      "stays where a call is wanted",
      { tools: [deferred("a")], tool_choice: { type: "any" } },
      { toolChoice: { type: "required" } },
    ],
    [
      "is what it was where one is",
      { tools: [deferred("a"), tool("b")], tool_choice: choice },
      { toolChoice: { type: "auto" }, parallelToolCalls: false },
    ],
  ])("%s", (_, wire, said) => {
    const { toolChoice, parallelToolCalls } = meant(wire);
    expect({
      ...(toolChoice && { toolChoice }),
      ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    }).toEqual(said);
  });
});

describe("what was said in a conversation that others answer", () => {
  it.each<[string, object[], string[]]>([
    [
      "names the tools that a search found",
      found("a", "b"),
      ["a", "b"].map((name) => `tool: The tool ${name} can be called now.`),
    ],
    [
      "has instructions where they stand",
      [user("1"), system("Now."), user("2")],
      ["user: 1", "system: Now.", "user: 2"],
    ],
    [
      "has none that only change tools or effort",
      [user("1"), system([addition("a")]), system([], { output_config: { effort: "low" } })],
      ["user: 1"],
    ],
    [
      "keeps what stands beside a change",
      [user("1"), system([removal("a"), { type: "text", text: "Gone." }])],
      ["user: 1", "system: Gone."],
    ],
    [
      "has instructions of one turn in that turn",
      [user("1"), system("Once.", { clear_at: "next_user_message" })],
      ["user: 1", "system: Once."],
    ],
    [
      "has them no longer behind it",
      [user("1"), system("Once.", { clear_at: "next_user_message" }), user("2")],
      ["user: 1", "user: 2"],
    ],
    [
      "has those for ever that say so",
      [user("1"), system("Ever.", { clear_at: "never" }), user("2")],
      ["user: 1", "system: Ever.", "user: 2"],
    ],
    [
      "begins with the last summary",
      [
        user("1"),
        system("Now."),
        {
          role: "assistant",
          content: [
            { type: "compaction", content: "Sum." },
            { type: "text", text: "2" },
          ],
        },
        user("3"),
      ],
      ["system: S.", "user: Sum.", "assistant: 2", "user: 3"],
    ],
    [
      "does not begin with one that failed",
      [
        user("1"),
        {
          role: "assistant",
          content: [
            { type: "compaction", content: null },
            { type: "text", text: "2" },
          ],
        },
        user("3"),
      ],
      ["user: 1", "assistant: opaque", "assistant: 2", "user: 3"],
    ],
  ])("%s", (_, messages, texts) => {
    const isSummed = texts[0] === "system: S.";
    const said = textsOf(meant({ messages, ...(isSummed && { system: "S." }) })).filter(
      (text) => text !== "assistant: tool-call",
    );
    expect(said).toEqual(texts);
  });

  const effort = (word: string) => system([], { output_config: { effort: word } });

  it.each<[string, object[], string]>([
    ["the request's", [user()], "high"],
    ["that of the instructions before the question", [effort("low"), user()], "low"],
    ["that of those behind it", [user(), effort("low")], "low"],
    ["that of the last ones", [user(), effort("low"), system("Now."), effort("max")], "max"],
    ["the request's, where only tools spoke before them", [user(), ...found("a"), effort("low")], "high"],
    [
      "the request's, where only tools speak behind them",
      [user(), effort("max"), ...found("a"), effort("low"), ...found("b")],
      "max",
    ],
    ["theirs, once the user speaks again", [user(), ...found("a"), effort("low"), user()], "low"],
  ])("is answered with an effort, which is %s", (_, messages, word) => {
    expect(meant({ output_config: { effort: "high" }, messages }).reasoning).toEqual({ effort: word });
  });

  it("is the request itself where nothing changes on its way", () => {
    const request = asked({
      system: "S.",
      tools: [tool("a")],
      messages: [user(), ...found(), system("Now.")].slice(0, 3),
    });
    expect(meantElsewhere(request)).toBe(request);
  });
});

describe("fields of the vendor's own", () => {
  const schema = { type: "object", properties: {} };
  const format = { type: "json_schema", schema };

  it("ask for a format where the API had it before", () => {
    expect(meant({ output_format: format })).toMatchObject({
      responseFormat: { type: "json-schema", schema },
      extra: { fields: {} },
    });
  });

  it.each<[string, object, object]>([
    ["beside one where it is now", { output_config: { format } }, { type: "object" }],
    ["that has more to say", {}, { ...schema, strict: true }],
  ])("are lost by name: a format %s", (_, more, other) => {
    const written = { type: "json_schema", ...("strict" in other ? { strict: true, schema } : { schema: other }) };
    expect(meant({ ...more, output_format: written }).extra?.fields).toEqual({ output_format: written });
  });

  it.each<[string, object, object]>([
    ["thread", { thread: { id: "t" } }, { details: { error_code: "thread_unsupported_request" } }],
    ["compaction", { compaction: { type: "summarize" } }, {}],
  ])("are refused without which it would be another request: %s", (param, wire, details) => {
    expect(() => refuseElsewhere(asked(wire))).toThrow(
      expect.objectContaining({ code: "invalid_request", details: { param, ...details } }),
    );
    expect(() => refuseElsewhere(asked({ [param]: null }))).not.toThrow();
  });
});
