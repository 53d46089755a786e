import { gemini } from "../conformance/conversations/gemini.ts";
import { list, text, type Wire, wire } from "../conformance/conversations/speaker.ts";
import { type Agent, type AgentCall, endOf, type Outcome, type Turn, toolsOf } from "./agent.ts";

/** Gemini CLI as it was recorded: version 0.61.0, without a window (`-p`), with a server of MCP. It keeps nothing of what was thought but its proofs. */

const headers = {
  "user-agent": "GeminiCLI-tui/0.61.0/gemini-3-pro-preview (linux; x64; terminal)",
  "x-goog-api-client": "google-genai-sdk/1.30.0 gl-node/v24.21.0",
  "x-goog-api-key": "agent",
};
const declared = toolsOf("gemini-cli");
const systemInstruction = { parts: [{ text: "What to do." }], role: "user" };
const sampling = { temperature: 1, topP: 0.95, topK: 64 };
const thinkingConfig = { includeThoughts: true, thinkingLevel: "HIGH" };

const ask = (contents: readonly Wire[]) => ({
  path: "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
  headers,
  body: {
    contents,
    systemInstruction,
    tools: [{ functionDeclarations: declared }],
    generationConfig: { ...sampling, thinkingConfig },
  },
});

/** Calls without an id are given one, which goes back with them. */
const partsOf = ({ candidates }: Wire): readonly Wire[] =>
  list(wire(list(candidates)[0]?.content).parts).map((part, at) => {
    const { id, name, args } = wire(part.functionCall);
    if (!part.functionCall || id !== undefined) return part;
    return { ...part, functionCall: { id: `${name}_1795724776273_${at}`, name, args } };
  });

/** Texts that follow each other are one, and thoughts are shown and forgotten. */
function kept(answer: Wire): readonly Wire[] {
  const parts: Wire[] = [];
  for (const part of partsOf(answer)) {
    const last = parts.at(-1);
    if (part.thought) continue;
    if (typeof part.text === "string" && typeof last?.text === "string" && last.thoughtSignature === undefined)
      parts[parts.length - 1] = { ...part, text: last.text + part.text };
    else parts.push(part);
  }
  return [{ parts, role: "model" }];
}

const calls = (answer: Wire): AgentCall[] =>
  partsOf(answer).flatMap(({ functionCall }) => {
    if (!functionCall) return [];
    const { id, name, args } = wire(functionCall);
    return { id: text(id), name: text(name), args };
  });

const result = ({ id, name }: AgentCall, { said, failed }: Outcome): Wire => ({
  functionResponse: { name, response: failed ? { error: said } : { output: said }, id },
});

const all = declared.map(({ name }) => text(name));

const turns: readonly Turn[] = [
  {
    asks: "Q1z why?",
    offered: all,
    pieces: [
      { kind: "thought", text: "H1z hm" },
      { kind: "text", text: "T1z let me see." },
      { kind: "call", name: "get_customer", args: { id: "7" } },
      { kind: "call", name: "read_file", args: { file_path: "a.txt" } },
    ],
    outcomes: [{ said: "R1z found" }, { said: "R2z one" }],
  },
  {
    offered: all,
    pieces: [
      { kind: "thought", text: "H2z hm" },
      { kind: "call", name: "google_web_search", args: { query: "weather" } },
    ],
    outcomes: [{ said: "R3z rain" }],
  },
  {
    offered: all,
    pieces: [
      {
        kind: "call",
        name: "replace",
        args: { file_path: "/a", instruction: "b", old_string: "a\n", new_string: '"b"' },
      },
    ],
    outcomes: [{ said: "R4z not there", failed: true }],
  },
  ...endOf(all),
];

const textOf = (answer: Wire): string =>
  partsOf(answer)
    .map((part) => (part.thought ? "" : text(part.text)))
    .join("");

/** Which model is to answer, in types as Gemini's own schemas call them. */
const router = {
  about: "a choice of a model",
  stream: false,
  ask: () => ({
    path: "/v1beta/models/MODEL:generateContent",
    headers,
    body: {
      contents: [
        { parts: [{ text: "Where we are." }], role: "user" },
        { parts: [{ text: "Why?" }], role: "user" },
      ],
      systemInstruction,
      generationConfig: {
        ...sampling,
        responseMimeType: "application/json",
        responseJsonSchema: {
          type: "OBJECT",
          properties: {
            complexity_reasoning: { type: "STRING", description: "A word." },
            complexity_score: { type: "INTEGER", description: "A word." },
          },
          required: ["complexity_reasoning", "complexity_score"],
        },
        thinkingConfig,
      },
    },
  }),
  read: textOf,
  expected: '{"complexity_reasoning":"easy","complexity_score":10}',
};

/** A search on the web is a question of its own, with the vendor's tool. */
const search = {
  about: "a search on the web",
  stream: false,
  ask: () => ({
    path: "/v1beta/models/MODEL:generateContent",
    headers,
    body: {
      contents: [{ parts: [{ text: "weather" }], role: "user" }],
      systemInstruction,
      tools: [{ googleSearch: {} }],
      generationConfig: { temperature: 0, topP: 1 },
    },
  }),
  read: textOf,
  expected: "It rains.",
};

export const geminiCli: Agent = {
  name: "Gemini CLI 0.61.0",
  speaker: gemini,
  carries: ["gemini call"],
  turns,
  asides: [router, search],
  ask,
  question: (said, isFirst) => [
    { parts: isFirst ? [{ text: "Where we are." }, { text: said }] : [{ text: said }], role: "user" },
  ],
  keep: kept,
  calls,
  results: (called, outcomes) =>
    called.length === 0
      ? []
      : [{ parts: called.map((call, at) => result(call, outcomes[at] ?? { said: "" })), role: "user" }],
};
