import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../core/index.ts";
import { openAiResponses } from "./index.ts";
import { context, framesOf, streamed } from "./testing.ts";

const search = { type: "tool_search", execution: "client" };
const inner = { type: "function", name: "get", parameters: {}, defer_loading: true };
const found = {
  type: "tool_search_output",
  tools: [{ type: "namespace", name: "crm", description: "C.", tools: [inner] }],
};
const call = (part: number, name: string, more = {}) => ({
  type: "tool-call-start",
  choice: 0,
  part,
  id: `c${part}`,
  name,
  ...more,
});
const piece = (part: number, text: string) => ({ type: "tool-call-delta", choice: 0, part, arguments: text });
const finish = (reason: string) => ({ type: "finish", choice: 0, reason });

const told = (asked: object, ...chunks: object[]) =>
  framesOf(
    streamed([{ type: "start", id: "1", model: "m" }, ...chunks] as StreamChunk[], { ...context, asked: { ...asked } }),
  );
const itemsIn = (frames: readonly Record<string, unknown>[], type: string) =>
  frames.filter((frame) => frame.type === type).map(({ item }) => item as Record<string, unknown>);

describe("a search that a vendor of another format asks for", () => {
  const chunks = [call(0, "tool_search"), piece(0, '{"query":'), piece(0, '"crm"}'), finish("tool-calls")];

  it("is told as one when it is there as a whole", () => {
    const frames = told({ tools: [search] }, ...chunks);
    const [added] = itemsIn(frames, "response.output_item.added");
    const [done] = itemsIn(frames, "response.output_item.done");
    const item = { type: "tool_search_call", call_id: "c0", execution: "client" };
    expect(added).toEqual({ ...item, id: done?.id, arguments: {}, status: "in_progress" });
    expect(done).toEqual({
      ...item,
      id: expect.stringMatching(/^tsc_/),
      arguments: { query: "crm" },
      status: "completed",
    });
    expect(frames.map(({ type }) => type)).not.toContain("response.function_call_arguments.delta");
  });

  it("is the same in an answer in one piece", () => {
    const content = [{ type: "tool-call", id: "c0", name: "tool_search", arguments: '{"query":"crm"}' }] as const;
    const response = { id: "1", model: "m", choices: [{ index: 0, content, finishReason: "tool-calls" as const }] };
    const { output } = openAiResponses.encodeResponse(response as never, { ...context, asked: { tools: [search] } });
    expect(output).toMatchObject([{ type: "tool_search_call", call_id: "c0", arguments: { query: "crm" } }]);
  });

  it("says what there is of it where the answer was cut off, or says nothing", () => {
    const cut = told({ tools: [search] }, call(0, "tool_search"), piece(0, '{"que'), finish("length"));
    expect(itemsIn(cut, "response.output_item.done")).toMatchObject([{ arguments: '{"que', status: "incomplete" }]);
    const empty = told({ tools: [search] }, call(0, "tool_search"), finish("tool-calls"));
    expect(itemsIn(empty, "response.output_item.done")).toMatchObject([{ arguments: {}, status: "completed" }]);
  });

  it.each([
    [{}],
    [{ tools: [{ type: "tool_search" }] }],
    [{ tools: [search, { type: "function", name: "tool_search" }] }],
  ])("is a function where the client has none: %j", (asked) => {
    expect(itemsIn(told(asked, ...chunks), "response.output_item.done")).toMatchObject([
      { type: "function_call", name: "tool_search" },
    ]);
  });

  it("found tools that are called with their group", () => {
    const frames = told(
      { tools: [search], input: [found, "odd"] },
      call(0, "crm__get"),
      piece(0, "{}"),
      finish("tool-calls"),
    );
    expect(itemsIn(frames, "response.output_item.done")).toMatchObject([
      { type: "function_call", name: "get", namespace: "crm" },
    ]);
  });

  it("found tools that are called with free text", () => {
    const run = { type: "custom", name: "run" };
    const input = [{ type: "additional_tools", tools: [run, { type: "namespace", name: "crm", tools: [run] }] }];
    for (const [name, more] of [
      ["run", {}],
      ["crm__run", { namespace: "crm" }],
    ] as const) {
      const frames = told({ input }, call(0, name), piece(0, '{"input":"ls"}'), finish("tool-calls"));
      expect(itemsIn(frames, "response.output_item.done")).toMatchObject([
        { type: "custom_tool_call", name: "run", input: "ls", ...more },
      ]);
    }
  });

  it("found tools of a name that another one has, which is called", () => {
    const asked = {
      tools: [{ type: "function", name: "run" }],
      input: [{ type: "additional_tools", tools: [{ type: "custom", name: "run" }] }],
    };
    const frames = told(asked, call(0, "run"), piece(0, '{"input":"ls"}'), finish("tool-calls"));
    expect(itemsIn(frames, "response.output_item.done")).toMatchObject([{ type: "function_call", name: "run" }]);
  });
});
