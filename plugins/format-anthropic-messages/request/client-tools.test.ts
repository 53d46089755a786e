import { describe, expect, it } from "vitest";
import type { FunctionTool } from "../../../core/index.ts";
import { openAiChat } from "../../format-openai-chat/index.ts";
import { decodeRequest } from "./decode-request.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";

const bash = { type: "bash_20250124", name: "bash" };
const editor = { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 9 };
const older = { type: "text_editor_20250124", name: "str_replace_editor" };
const memory = { type: "memory_20250818", name: "memory" };
const computer = { type: "computer_20250124", name: "computer", display_width_px: 9, display_height_px: 9 };

const asked = (tools: object[], more: object = {}) =>
  decodeRequest({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Look." }], tools, ...more });
const meant = (...tools: object[]) => meantElsewhere(asked(tools)).tools;
const commandsOf = (tool: object) => {
  const [{ parameters }] = meant(tool) as [FunctionTool];
  const { command, ...others } = Object(parameters?.properties) as Record<string, { enum?: string[] }>;
  return [command?.enum, Object.keys(others)];
};

describe("tools that Claude knows by their type and the client runs", () => {
  it("are functions of the same name to vendors of other formats", () => {
    expect(meant(bash, editor, memory)).toMatchObject([
      { type: "function", name: "bash", parameters: { properties: { command: {}, restart: {} }, required: [] } },
      { type: "function", name: "str_replace_based_edit_tool", parameters: { required: ["command", "path"] } },
      { type: "function", name: "memory", parameters: { required: ["command"] } },
    ]);
  });

  it("take what is published of their version", () => {
    const editing = ["path", "view_range", "file_text", "old_str", "new_str", "insert_line"];
    const commands = ["view", "create", "str_replace", "insert"];
    expect(commandsOf(older)).toEqual([[...commands, "undo_edit"], editing]);
    expect(commandsOf(editor)).toEqual([commands, [...editing, "insert_text"]]);
    expect(commandsOf(memory)).toEqual([
      [...commands, "delete", "rename"],
      [...editing, "insert_text", "old_path", "new_path"],
    ]);
  });

  it("keep their marker of a cache", () => {
    expect(meant({ ...bash, cache_control: { type: "ephemeral", ttl: "1h" } })).toMatchObject([
      { name: "bash", cache: { ttl: "1h" } },
    ]);
  });

  it("are not where one is called like another, nor those that run at the vendor or are used by looking at a screen", () => {
    const own = { name: "bash", input_schema: { type: "object" } };
    const search = { type: "web_search_20250305", name: "web_search" };
    const request = asked([computer, search]);
    expect(meantElsewhere(request)).toBe(request);
    expect(meant(bash, own)).toMatchObject([{ type: "native", value: bash }, { name: "bash" }]);
  });

  it("are called and answered by their names, and lose nothing", () => {
    const use = { type: "tool_use", id: "toolu_1", name: "bash", input: { command: "ls" } };
    const result = { type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" };
    const messages = [
      { role: "user", content: "Look." },
      { role: "assistant", content: [use] },
      { role: "user", content: [result] },
    ];
    const dropped: string[] = [];
    const request = meantElsewhere(asked([bash], { messages, tool_choice: { type: "tool", name: "bash" } }));
    const wire = openAiChat.encodeRequest(request, (name) => dropped.push(name));
    expect(wire).toMatchObject({
      tools: [{ type: "function", function: { name: "bash" } }],
      tool_choice: { type: "function", function: { name: "bash" } },
      messages: [
        { role: "user" },
        { tool_calls: [{ function: { name: "bash" } }] },
        { role: "tool", content: "a.txt" },
      ],
    });
    expect(dropped).toEqual([]);
  });
});
