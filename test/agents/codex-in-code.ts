import { responses } from "../conformance/conversations/responses.ts";
import { list, text, type Wire } from "../conformance/conversations/speaker.ts";
import { type Agent, type AgentCall, type Outcome, type Turn, toolsOf } from "./agent.ts";
import { about, called, headers, itemId, kept, said } from "./codex.ts";

/**
 * Codex as it was recorded, version 0.171.0, as it speaks to `gpt-6-sol`: its tools come in the conversation, in groups, and most of its work is
 * code that the model writes (`exec`).
 */

const groups = toolsOf("codex-in-code");
const brought = { type: "additional_tools", id: itemId("at", 0), role: "developer", tools: groups };

const ask = (input: readonly Wire[], model: string) => ({
  path: "/v1/responses",
  headers,
  body: {
    model,
    stream: true,
    input: [brought, ...input],
    ...about(model),
    parallel_tool_calls: false,
    reasoning: { effort: "high", context: "all_turns" },
  },
});

const question = (one: string, isFirst: boolean): readonly Wire[] =>
  isFirst
    ? [
        said("developer", 1, "What to do."),
        said("developer", 2, "What you may.", "And what not."),
        said("user", 3, "Where we are."),
        said("user", 4, one),
      ]
    : [said("user", 9, one)];

function result({ id, args }: AgentCall, { said: one }: Outcome, at: number): Wire {
  const isText = typeof args === "object" && args !== null && "input" in args;
  const type = isText ? "custom_tool_call_output" : "function_call_output";
  const output = ["Script completed", one].map((each) => ({ type: "input_text", text: each }));
  return { type, id: itemId(isText ? "ctco" : "fco", at), call_id: id, output: isText ? output : one };
}

const all = groups.flatMap(({ tools }) => list(tools).map(({ name }) => text(name)));

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: all,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "exec", args: { input: 'text("a" + 1);\n' } },
    ],
    outcomes: [{ said: "R1z a1" }],
  },
  {
    offered: all,
    pieces: [
      { kind: "call", name: "list_agents", args: {} },
      { kind: "call", name: "wait", args: { cell_id: "1" } },
    ],
    outcomes: [{ said: "R2z none" }, { said: "R3z no cell" }],
  },
  { offered: all, pieces: [{ kind: "text", text: "T2z that is all." }] },
  { asks: "Q2z and now?", offered: all, pieces: [{ kind: "text", text: "T3z nothing." }] },
];

export const codexInCode: Agent = {
  name: "Codex 0.171.0 that works in code",
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
