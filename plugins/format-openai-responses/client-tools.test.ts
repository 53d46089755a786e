import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../core/index.ts";
import { openAiResponses } from "./index.ts";
import { decodeRequest } from "./request/decode-request.ts";
import { meantElsewhere } from "./request/meant-elsewhere.ts";
import { context, framesOf, streamed } from "./testing.ts";

const patch = { type: "apply_patch" };
const shell = { type: "shell", environment: { type: "local" } };
const user = { role: "user", content: "Do it." };
const operation = { type: "create_file", path: "a.txt", diff: "+hello" };

const meant = (wire: object) => meantElsewhere(decodeRequest({ model: "m", input: [user], ...wire }));
const namesOf = (wire: object) => meant(wire).tools?.map((one) => (one.type === "function" ? one.name : one));

describe("tools that the client runs by items of their own", () => {
  it("are functions to vendors of other formats", () => {
    const { tools } = meant({ tools: [patch, shell, { type: "shell" }] });
    expect(tools).toMatchObject([
      { type: "function", name: "apply_patch", parameters: { required: ["operation"] } },
      { type: "function", name: "shell", parameters: { required: ["commands"] } },
      { type: "function", name: "shell" },
    ]);
  });

  it("are not where they run at the vendor, or another tool is called so", () => {
    const container = { type: "shell", environment: { type: "container_auto" } };
    const other = { type: "custom", name: "apply_patch" };
    const untouched = (value: object) => ({ type: "native", format: "openai-responses", value });
    expect(namesOf({ tools: [container] })).toEqual([untouched(container)]);
    expect(namesOf({ tools: [patch, other] })).toEqual([untouched(patch), "apply_patch"]);
  });

  it("are called and answered like functions", () => {
    const { messages } = meant({
      tools: [patch, shell],
      input: [
        user,
        { type: "apply_patch_call", call_id: "1", operation, status: "completed" },
        {
          type: "shell_call",
          call_id: "2",
          action: { commands: ["ls", "sleep 9"], timeout_ms: null, max_output_length: 9 },
        },
        { type: "apply_patch_call_output", call_id: "1", status: "failed", output: "No such folder." },
        {
          type: "shell_call_output",
          call_id: "2",
          output: [
            { stdout: "a.txt", stderr: "odd", outcome: { type: "exit", exit_code: 0 } },
            { stdout: "", stderr: "", outcome: { type: "timeout" } },
          ],
        },
      ],
    });
    const result = (toolCallId: string, text: string, more = {}) => ({
      type: "tool-result",
      toolCallId,
      content: [{ type: "text", text }],
      ...more,
    });
    expect(messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "tool-call", id: "1", name: "apply_patch", arguments: JSON.stringify({ operation }) },
          {
            type: "tool-call",
            id: "2",
            name: "shell",
            arguments: '{"commands":["ls","sleep 9"],"max_output_length":9}',
          },
        ],
      },
      {
        role: "tool",
        content: [
          result("1", "No such folder.", { isError: true }),
          result("2", "a.txt\nodd\nExit code: 0\n\nIt took too long."),
        ],
      },
    ]);
  });

  it.each([
    [{ type: "apply_patch_call_output", call_id: "1", status: "completed" }, "Done."],
    [{ type: "apply_patch_call_output", call_id: "1", status: "failed", output: "" }, "It failed."],
    [{ type: "shell_call_output", call_id: "1", output: "as text" }, "as text"],
  ])("say what came of them: %j", (item, text) => {
    expect(meant({ tools: [patch, shell], input: [user, item] }).messages.at(-1)).toMatchObject({
      role: "tool",
      content: [{ toolCallId: "1", content: [{ type: "text", text }] }],
    });
  });

  it("keep the items of what ran at the vendor, and of what has no id", () => {
    const kept = [
      { type: "shell_call", call_id: "1", action: { commands: [] }, environment: { type: "container_reference" } },
      { type: "apply_patch_call", operation },
    ];
    expect(meant({ input: [user, ...kept] }).messages.at(-1)?.content).toMatchObject(kept.map((value) => ({ value })));
  });
});

describe("calls of them in an answer of another vendor", () => {
  const call = (name: string, json: string) => ({ type: "tool-call" as const, id: "c1", name, arguments: json });
  const whole = (name: string, json: string, asked: object, finishReason = "tool-calls") =>
    openAiResponses.encodeResponse(
      { id: "1", model: "m", choices: [{ index: 0, content: [call(name, json)], finishReason }] } as never,
      { ...context, asked: { ...asked } },
    ).output;
  const told = (name: string, json: string, asked: object) => {
    const half = Math.ceil(json.length / 2);
    const chunks = [
      { type: "start", id: "1", model: "m" },
      { type: "tool-call-start", choice: 0, part: 0, id: "c1", name },
      { type: "tool-call-delta", choice: 0, part: 0, arguments: json.slice(0, half) },
      { type: "tool-call-delta", choice: 0, part: 0, arguments: json.slice(half) },
      { type: "finish", choice: 0, reason: "tool-calls" },
    ];
    return framesOf(streamed(chunks as StreamChunk[], { ...context, asked: { ...asked } }));
  };

  const patched = { type: "apply_patch_call", call_id: "c1", operation, status: "completed" };
  const ran = (commands: string[], more = {}) => ({
    type: "shell_call",
    call_id: "c1",
    action: { commands, timeout_ms: null, max_output_length: null, ...more },
    status: "completed",
  });

  it.each<[string, object, object]>([
    ["apply_patch", { operation }, patched],
    ["apply_patch", operation, patched],
    ["apply_patch", { operation: JSON.stringify(operation) }, patched],
    ["shell", { commands: ["ls"], timeout_ms: 5 }, ran(["ls"], { timeout_ms: 5 })],
    ["shell", { commands: "ls" }, ran(["ls"])],
  ])("of %s with %j are told as such, whole and streamed", (name, given, expected) => {
    const asked = { tools: [patch, shell] };
    const item = { ...expected, id: expect.stringMatching(name === "shell" ? /^sh_/ : /^apc_/) };
    expect(whole(name, JSON.stringify(given), asked)).toEqual([item]);
    const frames = told(name, JSON.stringify(given), asked);
    expect(frames.find(({ type }) => type === "response.output_item.done")?.item).toEqual(item);
    expect(frames.map(({ type }) => type)).not.toContain("response.function_call_arguments.delta");
  });

  it("begin with what is to be done: clients check it", () => {
    const frames = told("apply_patch", JSON.stringify({ operation }), { tools: [patch] });
    const [added] = frames.filter(({ type }) => type === "response.output_item.added");
    expect(added?.item).toMatchObject({ type: "apply_patch_call", operation, status: "in_progress" });
  });

  it.each<[string, string, string, string]>([
    ["shell", '{"commands":["rm -r', "length", "incomplete"],
    ["shell", "{}", "tool-calls", "completed"],
    ["apply_patch", '{"operation":{"type":"create_file","path":"a.txt"}}', "tool-calls", "completed"],
    ["apply_patch", '{"operation":{"type":"rename_file","path":"a.txt","diff":""}}', "tool-calls", "completed"],
  ])("of %s with %s are functions: they do not say what is to be done", (name, json, reason, status) => {
    expect(whole(name, json, { tools: [patch, shell] }, reason)).toEqual([
      { type: "function_call", id: expect.stringMatching(/^fc_/), call_id: "c1", name, arguments: json, status },
    ]);
  });

  it.each([
    [{}],
    [{ tools: [{ type: "shell", environment: { type: "container_auto" } }] }],
    [{ tools: [shell, { type: "function", name: "shell" }] }],
  ])("are functions where the client has none: %j", (asked) => {
    expect(whole("shell", "{}", asked)).toMatchObject([{ type: "function_call", name: "shell" }]);
  });

  it("are told of in the order in which they are there, whatever else is called meanwhile", () => {
    const call = (part: number, name: string) => ({ type: "tool-call-start", choice: 0, part, id: `c${part}`, name });
    const piece = (part: number, text: string) => ({ type: "tool-call-delta", choice: 0, part, arguments: text });
    const [begun, rest] = ['{"operation":', `${JSON.stringify(operation)}}`];
    const chunks = [
      { type: "start", id: "1", model: "m" },
      ...[
        call(0, "apply_patch"),
        call(1, "apply_patch"),
        call(2, "look"),
        piece(0, begun),
        piece(2, "{"),
        piece(1, begun),
      ],
      ...[piece(2, "}"), piece(1, rest), piece(0, rest), { type: "finish", choice: 0, reason: "tool-calls" }],
    ] as StreamChunk[];
    const frames = framesOf(streamed(chunks, { ...context, asked: { tools: [patch] } }));
    const added = frames.filter(({ type }) => type === "response.output_item.added");
    expect(added.map(({ output_index }) => output_index)).toEqual([0, 1, 2]);
    const last = frames.at(-1) as { response: { output: { id: string; type: string; call_id: string }[] } };
    const { output } = last.response;
    expect(output.map(({ type, call_id }) => [type, call_id])).toEqual([
      ["function_call", "c2"],
      ["apply_patch_call", "c0"],
      ["apply_patch_call", "c1"],
    ]);
    expect(new Set(output.map(({ id }) => id)).size).toBe(3);
  });
});
