import { anthropicMessages } from "../../../plugins/format-anthropic-messages/index.ts";
import { frames, gather } from "./anthropic-stream.ts";
import {
  type ClaudeTurn,
  checkClaude,
  checkInstructions,
  claudePieces,
  claudes,
  hidden,
  openFrom,
  takesInstructions,
  thinks,
} from "./claude.ts";
import { kindOf, mediaTypeOf } from "./shown.ts";
import {
  type Asked,
  argsObject,
  blocks,
  list,
  type Memory,
  must,
  type Piece,
  type Plan,
  places,
  type Speaker,
  schema,
  type Told,
  text,
  tools,
  type Wire,
  wire,
} from "./speaker.ts";

function block(piece: Piece, memory: Memory): readonly Wire[] {
  switch (piece.kind) {
    case "thought":
      return [
        {
          type: "thinking",
          thinking: piece.text,
          signature: piece.isCut ? "" : memory.prove("claude", "thought", piece.text),
        },
      ];
    case "hidden":
      return [{ type: "redacted_thinking", data: memory.prove("claude", "hidden", "") }];
    case "text":
    case "refusal":
      return piece.text.trim() === "" ? [] : [{ type: "text", text: piece.text }];
    case "cited": {
      const { text: said } = piece;
      const source = { type: "web_search_result_location", url: "https://a.example/", title: "A", cited_text: said };
      return [{ type: "text", text: said, citations: [{ ...source, encrypted_index: memory.id("index-") }] }];
    }
    case "ran": {
      const id = memory.id("srvtoolu_");
      const content = { type: "code_execution_result", stdout: piece.output, stderr: "", return_code: 0, content: [] };
      return [
        { type: "server_tool_use", id, name: "code_execution", input: { code: piece.code } },
        { type: "code_execution_tool_result", tool_use_id: id, content },
      ];
    }
    case "image":
      return [];
    case "call":
      return [{ type: "tool_use", id: memory.id("toolu_01"), name: piece.name, input: argsObject(piece) }];
  }
}

function answer({ pieces: planned, ending }: Plan, memory: Memory, asked: Wire, model: string): Wire {
  const turns = claudeTurns(turnsOf(asked));
  const pieces = claudePieces(planned, asked.thinking, model, openFrom(turns) === turns.length);
  const content = pieces.flatMap((piece) => block(piece, memory));
  // Code that was run is nothing where clients of other formats give it back.
  const last = content.findLastIndex(({ type }) => type === "text" || type === "tool_use");
  for (const { signature, data } of content.slice(last + 1)) memory.ends(signature ?? data);
  const calls = content.some(({ type }) => type === "tool_use");
  const refuses = pieces.some(({ kind }) => kind === "refusal");
  const stop = calls ? "tool_use" : ending === "length" ? "max_tokens" : refuses ? "refusal" : "end_turn";
  return {
    id: memory.id("msg_"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 5 },
  };
}

interface Turn {
  readonly role: string;
  readonly content: Wire[];
}

/** Turns of one role that follow each other are one, and instructions none. docs: api/messages, "consecutive turns in your request will be combined". */
function turnsOf(request: Wire): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role, content }] of list(request.messages).entries()) {
    const inside = blocks(content);
    if (role === "system") {
      must(inside.every(isText), "instructions are texts", inside);
      continue;
    }
    must(role === "user" || role === "assistant", "a role", role);
    // "all messages must have non-empty content except for the optional final assistant message"
    must(inside.length > 0, "messages are not empty", at);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...inside);
    else turns.push({ role, content: [...inside] });
  }
  return turns;
}

const isText = ({ type }: Wire): boolean => type === "text";
const isThought = ({ type }: Wire): boolean => type === "thinking" || type === "redacted_thinking";

const claudeTurns = (turns: readonly Turn[]): ClaudeTurn[] =>
  turns.map(({ role, content }) => ({
    role,
    blocks: content.map((one) => (isThought(one) ? "thinking" : one.type === "tool_result" ? "result" : "other")),
  }));

/** docs: agents-and-tools/tool-use/implement-tool-use (results first, in the next turn), build-with-claude/extended-thinking. */
function check(request: Wire, memory: Memory, asked: Asked): void {
  const turns = turnsOf(request);
  const { thinking, max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, tool_choice: choice } = request;
  const forced = ["any", "tool"].includes(text(wire(choice).type));
  const settings = { thinking: thinking === undefined ? undefined : wire(thinking), maxTokens };
  checkInstructions(
    list(request.messages).map(({ role }) => role),
    asked.model,
  );
  checkClaude({ ...settings, temperature, topP, topK, forced }, claudeTurns(turns), asked);
  must(turns[0]?.role === "user", "the first message is of the user", turns[0]);
  const ids = new Set<unknown>();
  let open: unknown[] = [];
  for (const { role, content } of turns) {
    const results = content.filter(({ type }) => type === "tool_result");
    must(role === "user" || results.length === 0, "results are of the user", content);
    const answered = results.map((one) => one.tool_use_id);
    must(JSON.stringify([...answered].sort()) === JSON.stringify([...open].sort()), "each call has its result", {
      open,
      answered,
    });
    must(
      results.every((one) => content.indexOf(one) < results.length),
      "results come first",
      content,
    );
    open = [];
    for (const one of content) {
      checkBlock(one, role, memory, asked.own);
      if (one.type === "tool_use") {
        must(/^[a-zA-Z0-9_-]+$/.test(text(one.id)), "an id of letters, digits, _ and -", one);
        must(!ids.has(one.id), "ids are unique", one);
        ids.add(one.id);
        open.push(one.id);
      }
      if (one.type === "server_tool_use")
        must(
          content.some((other) => other.type !== "tool_result" && other.tool_use_id === one.id),
          "a use of the vendor's tool has its result",
          one,
        );
    }
  }
  must(turns.at(-1)?.role === "user" && open.length === 0, "the last message is of the user", turns.at(-1));
}

function checkBlock(one: Wire, role: string, memory: Memory, own: boolean): void {
  switch (one.type) {
    case "text":
      // "text content blocks must contain non-whitespace text"
      must(text(one.text).trim() !== "", "texts say something", one);
      for (const { encrypted_index: index } of list(one.citations))
        must(memory.isIssued(index), "citations are the vendor's own", one);
      return;
    case "thinking":
      must(
        role === "assistant" &&
          (memory.isProof("claude", one.signature, one.thinking) || (own && one.signature === "")),
        "a signature of its own",
        one,
      );
      return;
    case "redacted_thinking":
      must(memory.isProof("claude", one.data, ""), "hidden thinking of its own", one);
      return;
    case "tool_use":
      must(typeof one.input === "object" && one.input !== null, "an input that is an object", one);
      return;
    case "server_tool_use":
      must(memory.isIssued(one.id), "a use of its own", one);
      return;
    case "tool_result":
      for (const inner of list(one.content)) if (inner.type === "text") must(inner.text !== "", "no empty text", one);
      return;
    case "code_execution_tool_result":
      must(memory.isIssued(one.tool_use_id), "a result of its own", one);
      return;
    default:
      must(one.type === "image" || one.type === "document", "a block the API knows", one);
  }
}

function told(request: Wire): Told[] {
  let at = places([]);
  return turnsOf(request).flatMap(({ role, content }) => {
    if (role === "assistant") at = places(content.filter(({ type }) => type === "tool_use").map(({ id }) => id));
    return content.flatMap((one): Told[] => {
      if (one.type === "text") return [[role === "user" ? "user" : "model", text(one.text)]];
      if (one.type === "tool_use") return [["call", text(one.name), one.input]];
      if (one.type === "image" || one.type === "document") return [["shown", shownIn(one)]];
      if (one.type !== "tool_result") return [];
      const said = blocks(one.content ?? []).map((inner) => text(inner.text ?? inner.tool_name));
      const images = blocks(one.content ?? []).filter(({ type }) => type === "image");
      return [
        ["result", at(one.tool_use_id), said.join("")],
        ...images.map((image): Told => ["shown", shownIn(image)]),
      ];
    });
  });
}

const shownIn = ({ source }: Wire): string => text(wire(source).data ?? wire(source).url);

function part(shown: string): Wire {
  const kind = kindOf(shown);
  if (kind === "address") return { type: "image", source: { type: "url", url: shown } };
  const from = kind === "document" ? "text" : "base64";
  const source = { type: from, media_type: mediaTypeOf(shown), data: shown };
  return { type: kind === "image" ? "image" : "document", source };
}

export const anthropic: Speaker = {
  format: anthropicMessages,
  model: "claude-sonnet-4-5",
  models: claudes,
  wantsThinking: ({ thinking }, model) => thinks(thinking, model),
  hidesThoughts: ({ thinking }, model) => hidden(thinking, model),
  instructsWithin: takesInstructions,
  signer: "claude",
  showsResults: true,
  answer,
  frames,
  check,
  told,
  ask: (messages, stream) => ({
    model: "m",
    max_tokens: 1000,
    system: "Be brief.",
    tools: tools.map((name) => ({ name, description: name, input_schema: schema })),
    messages,
    ...(stream && { stream }),
  }),
  shows: ["image", "address", "pdf", "document"],
  question: (said, shown = []) => ({ role: "user", content: [...shown.map(part), { type: "text", text: said }] }),
  wish: ({ thinking, forces, temperature }) => ({
    ...(typeof thinking === "number" && {
      thinking: { type: "enabled", budget_tokens: thinking },
      max_tokens: thinking + 1000,
    }),
    ...(thinking === "none" && { thinking: { type: "disabled" } }),
    ...((thinking === "low" || thinking === "high") && {
      thinking: { type: "adaptive" },
      output_config: { effort: thinking },
    }),
    ...(forces && { tool_choice: { type: "any" } }),
    ...(temperature !== undefined && { temperature }),
  }),
  gather,
  // Nothing can be made of an answer of nothing: the API refuses it in a history.
  keep: ({ content }) => (list(content).length > 0 ? [{ role: "assistant", content }] : []),
  calls: ({ content }) =>
    list(content).flatMap(({ type, id, name }) => (type === "tool_use" ? { id: text(id), name: text(name) } : [])),
  results: (results, besides) => [
    {
      role: "user",
      content: [
        ...results.map(({ id, said, image }) => {
          const shown = { type: "image", source: { type: "base64", media_type: "image/png", data: image } };
          const both = said.trim() === "" ? [shown] : [{ type: "text", text: said }, shown];
          return { type: "tool_result", tool_use_id: id, content: image === undefined ? said : both };
        }),
        ...(besides ? [{ type: "text", text: besides.text }] : []),
      ],
    },
  ],
};
