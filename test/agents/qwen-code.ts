import { chat } from "../conformance/conversations/chat.ts";
import { list, text, type Wire, wire } from "../conformance/conversations/speaker.ts";
import { type Agent, endOf, type Turn, toolsOf } from "./agent.ts";
import { openCode } from "./open-code.ts";

/**
 * Qwen Code as it was recorded: version 0.24.4, without a window (`-p`), with a server of MCP. Tools it searches for are called by another tool
 * (`tool_call`), so that what it offers stays as it is.
 */

const headers = {
  accept: "application/json",
  authorization: "Bearer agent",
  "user-agent": "QwenCode/0.24.4 (linux; x64)",
  "x-stainless-lang": "js",
  "x-stainless-package-version": "5.11.0",
  "x-stainless-retry-count": "0",
};
const path = "/v1/chat/completions";
const declared = toolsOf("qwen-code");
const streamed = { max_tokens: 32768, stream: true, stream_options: { include_usage: true } };
const system = { role: "system", content: "What to do." };
const said = (one: string): Wire => ({ type: "text", text: one });

const ask = (history: readonly Wire[], model: string) => ({
  path,
  headers,
  body: { model, messages: [system, ...history], ...streamed, tools: declared },
});

const messageOf = ({ choices }: Wire): Wire => wire(list(choices)[0]?.message);

/** What was thought stands there under two names, and nothing at all where it was nothing. */
function kept(answer: Wire): readonly Wire[] {
  const { content, tool_calls: calls, reasoning_content: thought } = messageOf(answer);
  const called = list(calls).map(({ id, function: of }) => ({ id, type: "function", function: of }));
  return [
    {
      role: "assistant",
      content: text(content) || (text(thought) ? "" : null),
      ...(called.length > 0 && { tool_calls: called }),
      ...(text(thought) && { reasoning_content: thought, reasoning: thought }),
    },
  ];
}

const all = declared.map((tool) => text(wire(tool.function).name));

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: all,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "tool_search", args: { query: "customer" } },
    ],
    outcomes: [{ said: "R1z get_customer" }],
  },
  {
    offered: all,
    pieces: [
      { kind: "thought", text: "H2z hm" },
      { kind: "call", name: "tool_call", args: { name: "mcp__crm__get_customer", arguments: { id: "7" } } },
      { kind: "call", name: "read_file", args: { file_path: "/a.txt" } },
    ],
    outcomes: [{ said: "R2z found" }, { said: "R3z one" }],
  },
  {
    offered: all,
    pieces: [{ kind: "call", name: "edit", args: { file_path: "/a", old_string: "a\n", new_string: '"b"' } }],
    outcomes: [{ said: "R4z not there" }],
  },
  ...endOf(all),
];

/** What is to be remembered is asked at the end, of the same conversation. */
const memory = {
  about: "what to remember",
  stream: true,
  ask: (model: string) => ({
    path,
    headers,
    body: {
      model,
      messages: [
        { role: "system", content: "Remember." },
        { role: "user", content: [said("Where we are."), said("Why?")] },
        { role: "assistant", content: "So." },
        { role: "user", content: [said("What is worth it?")] },
      ],
      ...streamed,
      tools: declared.filter((tool) => ["read_file", "write_file"].includes(text(wire(tool.function).name))),
    },
  }),
  read: (answer: Wire) => messageOf(answer).content,
  expected: "Nothing.",
};

export const qwenCode: Agent = {
  name: "Qwen Code 0.24.4",
  speaker: chat,
  carries: [],
  turns,
  asides: [memory],
  ask,
  question: (one, isFirst) => [
    {
      role: "user",
      content: [...(isFirst ? [said("What there is."), said("Where we are.")] : [said("Today.")]), said(one)],
    },
  ],
  keep: kept,
  calls: openCode.calls,
  results: (called, outcomes) =>
    called.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: [said(outcomes[at]?.said ?? "")] })),
};
