import { bedrockConverse } from "../../../plugins/format-bedrock-converse/index.ts";
import { type ClaudeTurn, checkClaude, claudePieces, claudes, hidden, openFrom, thinks } from "./claude.ts";
import { contentOf, frames, gather } from "./converse-stream.ts";
import { kindOf, toBase64 } from "./shown.ts";
import {
  type Asked,
  argsObject,
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
  withBesides,
} from "./speaker.ts";

function block(piece: Piece, memory: Memory): readonly Wire[] {
  switch (piece.kind) {
    case "thought": {
      const signed = piece.isCut ? {} : { signature: memory.prove("claude", "thought", piece.text) };
      return [{ reasoningContent: { reasoningText: { text: piece.text, ...signed } } }];
    }
    case "hidden":
      return [{ reasoningContent: { redactedContent: memory.prove("claude", "hidden", "") } }];
    case "text":
    case "refusal":
      return piece.text.trim() === "" ? [] : [{ text: piece.text }];
    case "cited":
      return [
        {
          citationsContent: {
            content: [{ text: piece.text }],
            citations: [{ title: "A", location: { web: { url: "https://a.example/", domain: "a.example" } } }],
          },
        },
      ];
    case "image":
      return [{ image: { format: "png", source: { bytes: piece.data } } }];
    case "ran":
      return [];
    case "call":
      return [{ toolUse: { toolUseId: memory.id("tooluse_"), name: piece.name, input: argsObject(piece) } }];
  }
}

const thinkingIn = (request: Wire): unknown => wire(request.additionalModelRequestFields).thinking;

function answer({ pieces: planned, ending }: Plan, memory: Memory, asked: Wire, model: string): Wire {
  const turns = claudeTurns(asked);
  const pieces = claudePieces(planned, thinkingIn(asked), model, openFrom(turns) === turns.length);
  const content = pieces.flatMap((piece) => block(piece, memory));
  // Images are nothing where they are given back.
  const last = content.findLastIndex((one) => !one.reasoningContent && !one.image);
  for (const { reasoningContent } of content.slice(last + 1)) {
    const { reasoningText, redactedContent } = wire(reasoningContent);
    memory.ends(wire(reasoningText).signature ?? redactedContent);
  }
  const stopReason = content.some(({ toolUse }) => toolUse)
    ? "tool_use"
    : ending === "length"
      ? "max_tokens"
      : "end_turn";
  return {
    output: { message: { role: "assistant", content } },
    stopReason,
    usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
    metrics: { latencyMs: 7 },
  };
}

const claudeTurns = (request: Wire): ClaudeTurn[] =>
  list(request.messages).map(({ role, content }) => ({
    role,
    blocks: list(content).map((one) => (one.reasoningContent ? "thinking" : one.toolResult ? "result" : "other")),
  }));

/** docs: bedrock/latest/APIReference/API_runtime_Message, _ContentBlock, _ToolUseBlock, and the errors Converse gives. */
function check(request: Wire, memory: Memory, asked: Asked): void {
  const messages = list(request.messages);
  const { maxTokens, temperature, topP } = wire(request.inferenceConfig);
  const { thinking, top_k: topK } = wire(request.additionalModelRequestFields);
  const { any, tool } = wire(wire(request.toolConfig).toolChoice);
  const settings = { thinking: thinking === undefined ? undefined : wire(thinking), maxTokens };
  const forced = any !== undefined || tool !== undefined;
  checkClaude({ ...settings, temperature, topP, topK, forced }, claudeTurns(request), asked);
  must(messages[0]?.role === "user", "a conversation starts with a user message", messages[0]);
  const ids = new Set<unknown>();
  let open: unknown[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    must(role !== messages[at - 1]?.role, "roles alternate", at);
    const inside = list(content);
    must(inside.length > 0, "content is not empty", at);
    const answered = inside.flatMap(({ toolResult }) => (toolResult ? wire(toolResult).toolUseId : []));
    must(JSON.stringify([...answered].sort()) === JSON.stringify([...open].sort()), "each call has its result", {
      open,
      answered,
    });
    open = [];
    for (const one of inside) {
      checkBlock(one, role, memory, asked.own);
      if (!one.toolUse) continue;
      const { toolUseId } = wire(one.toolUse);
      must(/^[a-zA-Z0-9_-]{1,64}$/.test(text(toolUseId)), "an id of 64 letters, digits, _ and -", one);
      must(!ids.has(toolUseId), "ids are unique", one);
      ids.add(toolUseId);
      open.push(toolUseId);
    }
  }
  must(messages.at(-1)?.role === "user" && open.length === 0, "the last message is of the user", messages.at(-1));
}

function checkBlock(one: Wire, role: unknown, memory: Memory, own: boolean): void {
  const { reasoningText, redactedContent } = wire(one.reasoningContent);
  // "The text field in the ContentBlock object is blank."
  if ("text" in one) must(text(one.text).trim() !== "", "texts are not blank", one);
  else if (reasoningText) {
    const { text: thought, signature } = wire(reasoningText);
    const isOwn = memory.isProof("claude", signature, thought) || (own && signature === undefined);
    must(role === "assistant" && isOwn, "a signature of its own", one);
  } else if (redactedContent) must(memory.isProof("claude", redactedContent, ""), "hidden thinking of its own", one);
  else if (one.toolUse) must(typeof wire(one.toolUse).input === "object", "an input that is an object", one);
  else if (one.toolResult) {
    for (const inner of list(wire(one.toolResult).content))
      if ("text" in inner) must(inner.text !== "", "no empty text", one);
  } else must(one.citationsContent ?? one.image ?? one.document ?? one.cachePoint, "a block the API knows", one);
}

function told(request: Wire): Told[] {
  let at = places([]);
  return list(request.messages).flatMap(({ role, content }) => {
    const uses = list(content).flatMap(({ toolUse }) => (toolUse ? wire(toolUse).toolUseId : []));
    if (role === "assistant") at = places(uses);
    return list(content).flatMap((one): Told[] => {
      const who = role === "user" ? "user" : "model";
      if ("text" in one) return [[who, text(one.text)]];
      if (one.citationsContent) return [[who, text(list(wire(one.citationsContent).content)[0]?.text)]];
      if (one.toolUse) return [["call", text(wire(one.toolUse).name), wire(one.toolUse).input]];
      if (role === "user" && (one.image || one.document)) return [["shown", shownIn(one)]];
      if (!one.toolResult) return [];
      const { toolUseId, content: inside } = wire(one.toolResult);
      return [
        [
          "result",
          at(toolUseId),
          list(inside)
            .map((inner) => text(inner.text))
            .join(""),
        ],
        ...list(inside).flatMap((inner): Told[] => (inner.image ? [["shown", shownIn(inner)]] : [])),
      ];
    });
  });
}

function shownIn({ image, document }: Wire): string {
  const { bytes, text: said } = wire(wire(image ?? document).source);
  return wire(document).format === "txt" ? Buffer.from(text(bytes), "base64").toString() || text(said) : text(bytes);
}

function part(shown: string): Wire {
  const kind = kindOf(shown);
  if (kind === "image") return { image: { format: "png", source: { bytes: shown } } };
  const [format, bytes] = kind === "pdf" ? ["pdf", shown] : ["txt", toBase64(shown)];
  return { document: { format, name: `${kind} ${shown.replace(/\D/g, "")}`, source: { bytes } } };
}

export const converse: Speaker = {
  format: bedrockConverse,
  model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  models: claudes.map((name) => `us.anthropic.${name}`),
  wantsThinking: (request, model) => thinks(thinkingIn(request), model),
  hidesThoughts: (request, model) => hidden(thinkingIn(request), model),
  signer: "claude",
  showsResults: true,
  answer,
  frames,
  check,
  told,
  ask: (history) => ({
    system: [{ text: "Be brief." }],
    toolConfig: {
      tools: tools.map((name) => ({ toolSpec: { name, description: name, inputSchema: { json: schema } } })),
    },
    messages: alternating(history),
  }),
  shows: ["image", "pdf", "document"],
  question: (said, shown = []) => ({ role: "user", content: [...shown.map(part), { text: said }] }),
  wish: ({ thinking, forces, temperature }) => ({
    ...(typeof thinking === "number" && {
      additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: thinking } },
    }),
    ...(thinking === "none" && { additionalModelRequestFields: { thinking: { type: "disabled" } } }),
    ...(forces && { toolConfig: { toolChoice: { any: {} } } }),
    inferenceConfig: { maxTokens: 8000, ...(temperature !== undefined && { temperature }) },
  }),
  gather,
  keep: (whole) => (contentOf(whole).length > 0 ? [wire(wire(whole.output).message)] : []),
  calls: (whole) =>
    contentOf(whole).flatMap(({ toolUse }) =>
      toolUse ? { id: text(wire(toolUse).toolUseId), name: text(wire(toolUse).name) } : [],
    ),
  results: (results, besides) => [
    {
      role: "user",
      content: withBesides(
        results.map(({ id: toolUseId, said, image: bytes }) => ({
          toolResult: {
            toolUseId,
            content: [
              ...(said === "" ? [] : [{ text: said }]),
              ...(bytes === undefined ? [] : [{ image: { format: "png", source: { bytes } } }]),
            ],
          },
        })),
        besides,
        (said) => ({ text: said }),
      ),
    },
  ],
};

/** After an answer of nothing the user speaks twice, which this API's clients have to say in one message. */
function alternating(history: readonly Wire[]): Wire[] {
  const messages: Wire[] = [];
  for (const message of history) {
    const last = messages.at(-1);
    if (last?.role === message.role)
      messages[messages.length - 1] = { ...last, content: [...list(last?.content), ...list(message.content)] };
    else messages.push(message);
  }
  return messages;
}
