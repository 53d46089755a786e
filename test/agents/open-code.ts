import { chat } from "../conformance/conversations/chat.ts";
import { list, parsed, text, type Wire, wire } from "../conformance/conversations/speaker.ts";
import { type Agent, type AgentCall, endOf, type Turn, toolsOf } from "./agent.ts";

/** OpenCode as it was recorded: version 1.18.33, with `@ai-sdk/openai-compatible`, a server of MCP and a model that wants its thoughts back. */

const headers = {
  authorization: "Bearer agent",
  "user-agent": "opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14",
  "x-session-affinity": "ses_1",
  "x-session-id": "ses_1",
};
const path = "/v1/chat/completions";
const declared = toolsOf("open-code");
const streamed = { stream: true, stream_options: { include_usage: true } };
const system = { role: "system", content: "What to do." };

const ask = (history: readonly Wire[], model: string) => ({
  path,
  headers,
  body: {
    model,
    max_tokens: 32000,
    messages: [system, ...history],
    tools: declared,
    tool_choice: "auto",
    ...streamed,
  },
});

const messageOf = ({ choices }: Wire): Wire => wire(list(choices)[0]?.message);

/** What was thought stands beside what was said, be it nothing. */
function kept(answer: Wire): readonly Wire[] {
  const { content, tool_calls: calls, reasoning_content: thought } = messageOf(answer);
  const said = { role: "assistant", content: text(content) };
  const called = list(calls).map(({ id, function: of }) => ({ id, type: "function", function: of }));
  return [{ ...said, ...(called.length > 0 && { tool_calls: called }), reasoning_content: text(thought) }];
}

const calls = (answer: Wire): AgentCall[] =>
  list(messageOf(answer).tool_calls).map(({ id, function: of }) => {
    const { name, arguments: args } = wire(of);
    return { id: text(id), name: text(name), args: parsed(args) };
  });

const all = declared.map((tool) => text(wire(tool.function).name));

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: all,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "get_customer", args: { id: "7" } },
      { kind: "call", name: "read", args: { filePath: "/a.txt" } },
    ],
    outcomes: [{ said: "R1z found" }, { said: "R2z one" }],
  },
  {
    offered: all,
    pieces: [
      { kind: "thought", text: "H2z hm" },
      { kind: "call", name: "edit", args: { filePath: "/a", oldString: "a\n", newString: '"b"' } },
    ],
    outcomes: [{ said: "R3z not there" }],
  },
  {
    offered: all,
    pieces: [
      { kind: "call", name: "todowrite", args: { todos: [{ content: "c", status: "completed", priority: "high" }] } },
    ],
    outcomes: [{ said: "R4z []" }],
  },
  ...endOf(all),
];

const title = {
  about: "a title",
  stream: true,
  ask: (model: string) => ({
    path,
    headers,
    body: {
      model,
      max_tokens: 32000,
      reasoning_effort: "low",
      messages: [
        { role: "system", content: "Find a title." },
        { role: "user", content: "Of this:\n" },
        { role: "user", content: "Why?" },
      ],
      ...streamed,
    },
  }),
  read: (answer: Wire) => messageOf(answer).content,
  expected: "A title.",
};

export const openCode: Agent = {
  name: "OpenCode 1.18.33",
  speaker: chat,
  carries: [],
  turns,
  asides: [title],
  ask,
  question: (said) => [{ role: "user", content: said }],
  keep: kept,
  calls,
  results: (called, outcomes) =>
    called.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: outcomes[at]?.said ?? "" })),
};
