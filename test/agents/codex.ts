import { responses } from "../conformance/conversations/responses.ts";
import { list, parsed, text, type Wire, wire } from "../conformance/conversations/speaker.ts";
import { type Agent, type AgentCall, endOf, type Outcome, type Turn, toolsOf } from "./agent.ts";

/**
 * Codex as it was recorded: version 0.171.0, `codex exec`, with a server of MCP behind its search, as it speaks to `gpt-5.5`. Items
 * of its own have ids of its own, and what was said is given back with the vendor's.
 */

const session = "01a00000-0000-7000-8000-000000000000";
export const headers = {
  "x-codex-beta-features": "remote_compaction_v2",
  "x-codex-window-id": `${session}:0`,
  "x-client-request-id": session,
  "session-id": session,
  "thread-id": session,
  accept: "text/event-stream",
  authorization: "Bearer sk-agent",
  originator: "codex_exec",
};

const declared = toolsOf("codex");
const inner = (name: string): Wire => ({
  type: "function",
  name,
  description: "A word.",
  strict: false,
  defer_loading: true,
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
});
const group = {
  type: "namespace",
  name: "mcp__crm",
  description: "A word.",
  tools: [inner("get_customer"), inner("list_orders")],
};

export const itemId = (prefix: string, at: number): string =>
  `${prefix}_01a00000-0000-7000-8000-${String(at).padStart(12, "0")}`;
export const said = (role: string, at: number, ...texts: string[]): Wire => ({
  type: "message",
  id: itemId("msg", at),
  role,
  content: texts.map((one) => ({ type: "input_text", text: one })),
});

const clientMetadata = { session_id: session, thread_id: session, "x-codex-window-id": `${session}:0` };
export const about = (model: string): Wire => ({
  tool_choice: "auto",
  parallel_tool_calls: true,
  reasoning: { effort: "high" },
  store: false,
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: session,
  text: { verbosity: "low" },
  client_metadata: { ...clientMetadata, turn_id: model },
});

const ask = (input: readonly Wire[], model: string) => ({
  path: "/v1/responses",
  headers,
  body: { model, stream: true, input, tools: declared, ...about(model) },
});

function question(one: string, isFirst: boolean): readonly Wire[] {
  // Its permissions have changed meanwhile.
  if (!isFirst) return [said("developer", 8, "What you may now."), said("user", 9, one)];
  return [
    said("developer", 1, "What to do."),
    said("developer", 2, "What you may.", "And what not."),
    said("user", 3, "Where we are."),
    said("user", 4, one),
  ];
}

/** What it gives back of an item: with a content of nothing beside what was thought, and no other fields that it does not know. */
export const kept = (item: Wire): Wire => (item.type === "reasoning" ? { ...item, content: null } : item);

export function called({ type, call_id: id, name, namespace, input, arguments: args }: Wire): AgentCall[] {
  const call = { id: text(id), name: namespace === undefined ? text(name) : `${namespace}_${name}` };
  if (type === "custom_tool_call") return [{ ...call, args: { input } }];
  if (type === "tool_search_call") return [{ ...call, name: "tool_search", args }];
  return type === "function_call" ? [{ ...call, args: parsed(args) }] : [];
}

function result({ id, name, args }: AgentCall, { said: one, found }: Outcome, at: number): Wire {
  const answering = { call_id: id };
  if (found)
    return {
      ...{ type: "tool_search_output", id: itemId("tso", at), ...answering },
      ...{ status: "completed", execution: "client", tools: [group] },
    };
  if (name === "apply_patch" && wire(args).input !== undefined)
    return { type: "custom_tool_call_output", id: itemId("ctco", at), ...answering, output: one };
  const blocks = ["Wall time: 1", one].map((each) => ({ type: "input_text", text: each }));
  return {
    ...{ type: "function_call_output", id: itemId("fco", at), ...answering },
    output: name.startsWith("mcp__") ? blocks : one,
  };
}

const own = declared.flatMap(({ type, name }) => (type === "web_search" ? [] : text(name ?? type)));
const all = [...own, "get_customer", "list_orders"];

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: own,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "tool_search", args: { query: "crm get_customer", limit: 5 } },
    ],
    outcomes: [{ said: "get_customer", found: ["get_customer", "list_orders"] }],
  },
  {
    offered: all,
    pieces: [
      { kind: "thought", text: "H2z hm" },
      { kind: "call", name: "get_customer", args: { id: "7" } },
      { kind: "call", name: "exec_command", args: { cmd: "cat a.txt" } },
    ],
    outcomes: [{ said: "R1z found" }, { said: "R2z one" }],
  },
  {
    offered: all,
    pieces: [{ kind: "call", name: "apply_patch", args: { input: '*** Begin Patch\n-a\n+"b"\n*** End Patch\n' } }],
    outcomes: [{ said: "R3z done" }],
  },
  {
    offered: all,
    pieces: [{ kind: "call", name: "update_goal", args: { status: "complete" } }],
    outcomes: [{ said: "R4z done" }],
  },
  ...endOf(all),
];

export const codex: Agent = {
  name: "Codex 0.171.0",
  speaker: responses,
  carries: ["openai thought", "claude thought", "gemini call"],
  turns,
  asides: [],
  ask,
  question,
  keep: ({ output }) => list(output).map(kept),
  calls: ({ output }) => list(output).flatMap(called),
  results: (calls, outcomes) => calls.map((call, at) => result(call, outcomes[at] ?? { said: "" }, at)),
};
