import type { Wire } from "../conformance/conversations/speaker.ts";
import type { Agent } from "./agent.ts";
import { claudeCode } from "./claude-code.ts";
import { codex, said } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { qwenCode } from "./qwen-code.ts";

/** Requests out of the ordinary: conversations to be summed up, turns that were interrupted, results as they came. */
export interface Apart {
  readonly about: string;
  readonly agent: Agent;
  ask(model: string): Wire;
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const codexCall = (id: string, name: string): Wire => ({
  ...{ type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: "{}", status: "completed" },
});
const codexResult = (id: string, output: unknown): Wire => ({ type: "function_call_output", call_id: id, output });
const codexTurn: readonly Wire[] = [
  ...codex.question("Q1z why?", true, ""),
  codexCall("call_a1", "update_goal"),
  codexCall("call_b2", "view_image"),
  // The one that was done first stands first, and the other one was stopped by the user.
  codexResult("call_b2", [{ type: "input_image", image_url: `data:image/png;base64,${png}` }]),
  codexResult("call_a1", "aborted by user"),
];

const toolUse = (id: string, name: string): Wire => ({ type: "tool_use", id, name, input: {} });
const toolResult = (id: string, content: unknown, more: Wire = {}): Wire => ({
  ...{ type: "tool_result", tool_use_id: id, content },
  ...more,
});
const claudeTurn = (model: string): readonly Wire[] => [
  ...claudeCode.question("Q1z why?", true, model),
  {
    role: "assistant",
    content: [{ type: "text", text: "Let me" }, toolUse("toolu_a1", "Bash"), toolUse("toolu_b2", "Read")],
  },
  {
    role: "user",
    content: [
      toolResult("toolu_b2", [{ type: "image", source: { type: "base64", media_type: "image/png", data: png } }]),
      toolResult("toolu_a1", "The user does not want this.", { is_error: true }),
      { type: "text", text: "[Request interrupted]" },
    ],
  },
];

const geminiTurn: readonly Wire[] = [
  ...geminiCli.question("Q1z why?", true, ""),
  {
    role: "model",
    parts: [
      { text: "Let me" },
      { functionCall: { id: "a1", name: "read_file", args: {} } },
      { functionCall: { id: "b2", name: "get_customer", args: {} } },
    ],
  },
  {
    role: "user",
    parts: [
      { functionResponse: { id: "b2", name: "get_customer", response: { error: "[Operation Cancelled]" } } },
      { functionResponse: { id: "a1", name: "read_file", response: { output: "Binary content." } } },
      { inlineData: { mimeType: "image/png", data: png } },
    ],
  },
];

const qwenCall = (id: string, name: string): Wire => ({ id, type: "function", function: { name, arguments: "{}" } });
const qwenTurn: readonly Wire[] = [
  ...qwenCode.question("Q1z why?", true, ""),
  { role: "assistant", content: "Let me", tool_calls: [qwenCall("call_a1", "edit"), qwenCall("call_b2", "read_file")] },
  { role: "tool", tool_call_id: "call_b2", content: [{ type: "text", text: "one" }] },
  { role: "tool", tool_call_id: "call_a1", content: "Tool execution was cancelled by the user." },
];

/** Without tools, though there were calls. Codex has an empty list, and says how to choose among none. */
const toolless = ({ tools: _, ...body }: Wire): Wire => body;
const geminiBody = (contents: readonly Wire[]): Wire => geminiCli.ask(contents, "").body;
const asks = { parts: [{ text: "Q2z sum up." }], role: "user" };

export const apart: readonly Apart[] = [
  {
    about: "a turn that was stopped",
    agent: codex,
    ask: (model) => codex.ask([...codexTurn, said("user", 9, "Q2z go on.")], model).body,
  },
  {
    about: "a conversation to be summed up",
    agent: codex,
    ask: (model) => ({
      ...codex.ask([...codexTurn, said("user", 9, "Q2z sum up.")], model).body,
      ...{ tools: [], parallel_tool_calls: false },
    }),
  },
  {
    about: "a turn that was stopped",
    agent: claudeCode,
    ask: (model) => claudeCode.ask([...claudeTurn(model), { role: "user", content: "Q2z go on." }], model).body,
  },
  {
    about: "a conversation to be summed up",
    agent: claudeCode,
    ask: (model) => {
      const { body } = claudeCode.ask([...claudeTurn(model), { role: "user", content: "Q2z sum up." }], model);
      return { ...body, max_tokens: 20_000, thinking: { type: "disabled" } };
    },
  },
  {
    about: "a turn that was stopped",
    agent: geminiCli,
    ask: () => geminiBody([...geminiTurn, { ...asks, parts: [{ text: "Q2z go on." }] }]),
  },
  { about: "a conversation to be summed up", agent: geminiCli, ask: () => toolless(geminiBody([...geminiTurn, asks])) },
  {
    about: "a turn that was stopped",
    agent: qwenCode,
    ask: (model) => qwenCode.ask([...qwenTurn, { role: "user", content: "Q2z go on." }], model).body,
  },
  {
    about: "a conversation to be summed up",
    agent: qwenCode,
    ask: (model) => toolless(qwenCode.ask([...qwenTurn, { role: "user", content: "Q2z sum up." }], model).body),
  },
];
