import { anthropic } from "../conformance/conversations/anthropic.ts";
import { blocks, list, text, type Wire } from "../conformance/conversations/speaker.ts";
import { type Agent, type AgentCall, endOf, type Outcome, type Turn, toolsOf } from "./agent.ts";

/**
 * Claude Code as it was recorded: version 2.1.332, without a window (`-p`), with a server of MCP whose tools it searches for
 * (`ENABLE_TOOL_SEARCH`). What it says depends on the model: older Claudes are given budgets and reminders in what the user says, newer ones and models it
 * does not know instructions between the messages, and newer Claudes how many tokens are left after each result.
 */

const isOld = (model: string): boolean => model.includes("4-5");
const isTold = (model: string): boolean => model.includes("claude-opus-4-8");

const marker = { cache_control: { type: "ephemeral" } };
const said = (one: string): Wire => ({ type: "text", text: one });

const betas = [
  ...["claude-code-20250219", "interleaved-thinking-2025-05-14", "context-management-2025-06-27"],
  ...["mid-conversation-tool-changes-2026-07-01", "thinking-token-count-2026-05-13", "advanced-tool-use-2025-11-20"],
  "effort-2025-11-24",
];
const headers = {
  accept: "application/json",
  "user-agent": "claude-cli/2.1.332 (external, sdk-cli)",
  "x-claude-code-session-id": "00000000-0000-4000-8000-000000000000",
  "x-stainless-lang": "js",
  "x-stainless-retry-count": "0",
  "anthropic-beta": betas.join(),
  "anthropic-dangerous-direct-browser-access": "true",
  "anthropic-version": "2023-06-01",
  "x-api-key": "sk-agent",
  "x-app": "cli",
};
const path = "/v1/messages?beta=true";
const metadata = {
  user_id: JSON.stringify({ device_id: "d".repeat(64), account_uuid: "", session_id: "s".repeat(36) }),
};

const declared = toolsOf("claude-code");
const found: Wire = {
  name: "mcp__crm__get_customer",
  description: "A word.",
  input_schema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  defer_loading: true,
};

/** How hard it is to think, and room for it. */
const thinkingFor = (model: string): Wire =>
  isOld(model)
    ? { max_tokens: 32000, thinking: { budget_tokens: 31999, type: "enabled", display: "omitted" } }
    : { max_tokens: isTold(model) ? 64000 : 32000, thinking: { type: "adaptive", display: "omitted" } };

/** The cache ends with the last message, in each request anew. */
function marked(messages: readonly Wire[]): Wire[] {
  const last = messages.at(-1);
  const content = blocks(last?.content);
  const ended = content.map((block, at) => (at === content.length - 1 ? { ...block, ...marker } : block));
  return [...messages.slice(0, -1), { ...last, content: ended }];
}

function ask(history: readonly Wire[], model: string) {
  const hasFound = JSON.stringify(history).includes("tool_reference");
  const body = {
    model,
    messages: marked(history),
    system: [said("x-agent: 1"), { ...said("Who you are."), ...marker }, { ...said("What to do."), ...marker }],
    tools: hasFound ? [...declared, found] : declared,
    metadata,
    ...thinkingFor(model),
    context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
    ...(!isOld(model) && { output_config: { effort: "high" } }),
    stream: true,
  };
  return { path, headers, body };
}

const left = (model: string): readonly Wire[] =>
  isTold(model) ? [{ role: "system", content: "Tokens are left." }] : [];

function question(one: string, isFirst: boolean, model: string): readonly Wire[] {
  if (!isFirst) return [{ role: "user", content: one }, ...left(model)];
  if (isOld(model)) return [{ role: "user", content: [said("Know this."), said("And this."), said(one)] }];
  return [
    { role: "user", content: [said("Know this."), said(one)] },
    { role: "system", content: "What there is to know." },
  ];
}

const calls = ({ content }: Wire): AgentCall[] =>
  list(content).flatMap(({ type, id, name, input }) =>
    type === "tool_use" ? { id: text(id), name: text(name), args: input } : [],
  );

const isFound = ({ found: names }: Outcome): boolean => names !== undefined;

/** A tool that was found is named, and a word said beside it; what MCP gives is in blocks, and what failed says so. */
function results(called: readonly AgentCall[], outcomes: readonly Outcome[], model: string): readonly Wire[] {
  if (called.length === 0) return [];
  const all = outcomes.map(({ said: one, found: names, failed }, at): Wire => {
    const { id, name = "" } = called[at] ?? {};
    const result = { tool_use_id: id, type: "tool_result" };
    if (names) return { ...result, content: [{ type: "tool_reference", tool_name: found.name }] };
    if (failed) return { type: "tool_result", content: one, is_error: true, tool_use_id: id };
    return { ...result, content: name.startsWith("mcp__") ? [said(one)] : one };
  });
  const beside = outcomes.some(isFound) ? [said("Tool loaded.")] : [];
  return [{ role: "user", content: [...all, ...beside] }, ...left(model)];
}

const own = declared.flatMap(({ name, defer_loading: waits }) => (waits ? [] : text(name)));
const all = [...own, "get_customer"];

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: own,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "ToolSearch", args: { query: "select:mcp__crm__get_customer", max_results: 5 } },
    ],
    outcomes: [{ said: "get_customer", found: ["get_customer"] }],
  },
  {
    offered: all,
    pieces: [
      { kind: "thought", text: "H2z hm" },
      { kind: "call", name: "get_customer", args: { id: "7" } },
      { kind: "call", name: "Read", args: { file_path: "/a.txt" } },
    ],
    outcomes: [{ said: "R1z found" }, { said: "R2z one" }],
  },
  {
    offered: all,
    pieces: [
      {
        kind: "call",
        name: "Edit",
        args: { replace_all: false, file_path: "/a", old_string: "a\n", new_string: '"b"' },
      },
    ],
    outcomes: [{ said: "R3z done" }],
  },
  {
    offered: all,
    pieces: [{ kind: "call", name: "Bash", args: { command: "false", description: "Fails." } }],
    outcomes: [{ said: "R4z exit code 1", failed: true }],
  },
  ...endOf(all),
];

/** A search on the web is a question of its own, with the vendor's tool. */
const search = {
  about: "a search on the web",
  stream: true,
  ask: (model: string) => ({
    path,
    headers,
    body: {
      model,
      messages: [{ role: "user", content: [said("Search.")] }],
      system: [said("x-agent: 1"), said("Who you are."), said("You search.")],
      tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 8 }],
      tool_choice: { type: "tool", name: "web_search" },
      metadata,
      max_tokens: isOld(model) ? 32000 : 64000,
      thinking: { type: "disabled" },
      ...(!isOld(model) && { output_config: { effort: "high" } }),
      stream: true,
    },
  }),
  read: ({ content }: Wire) => list(content)[0]?.text,
  expected: "It rains.",
};

export const claudeCode: Agent = {
  name: "Claude Code 2.1.332",
  speaker: anthropic,
  carries: ["claude thought", "gemini call"],
  turns,
  asides: [search],
  ask,
  question,
  // The text of an answer is given back as it came, with what was thought.
  keep: ({ content }) => [{ role: "assistant", content }],
  calls,
  results,
};
