import { openAiChat } from "../../../plugins/format-openai-chat/index.ts";
import {
  type Asked,
  argsText,
  eventsIn,
  freeText,
  inPieces,
  isObject,
  list,
  type Memory,
  must,
  type Plan,
  type Speaker,
  text,
  textTool,
  unnamed,
  type Wire,
  wire,
} from "./speaker.ts";
import { callsIn, toldIn, toolMessages } from "./tool-messages.ts";

/** How vendors of this API call calls: as OpenAI does, by their names (Moonshot), and by numbers that begin anew in every answer. */
function callId(style: number, name: string, at: number, memory: Memory): string | undefined {
  if (style % 4 === 0) return memory.id("call_AbC");
  if (style % 4 === 1) return `functions.${name}:${memory.next()}`;
  return style % 4 === 2 ? `call_${at}` : undefined;
}

function answer({ pieces, ending, style }: Plan, memory: Memory, asked: Wire): Wire {
  let content = "";
  let refusal: string | null = null;
  let reasoning = "";
  const annotations: Wire[] = [];
  const calls: Wire[] = [];
  for (const piece of pieces) {
    if (piece.kind === "cited") {
      const [start, end] = [content.length, content.length + piece.text.length];
      const source = { start_index: start, end_index: end, url: "https://a.example/", title: "A" };
      annotations.push({ type: "url_citation", url_citation: source });
    }
    if (piece.kind === "text" || piece.kind === "cited") content += piece.text;
    else if (piece.kind === "refusal") refusal = (refusal ?? "") + piece.text;
    else if (piece.kind === "thought") reasoning += piece.text;
    else if (piece.kind === "call") {
      const id = callId(style, piece.name, calls.length, memory);
      const input = freeText(piece, asked);
      const { name } = piece;
      const called =
        input === undefined
          ? { type: "function", function: { name, arguments: argsText(piece) } }
          : { type: "custom", custom: { name, input } };
      calls.push({ ...(id !== undefined && { id }), ...called });
    }
  }
  const message = {
    role: "assistant",
    content: content === "" && (calls.length > 0 || refusal !== null) ? null : content,
    refusal,
    ...(reasoning !== "" && style % 2 === 1 && { reasoning_content: reasoning }),
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const isCut = pieces.some((piece) => piece.kind === "call" && piece.cut !== undefined);
  const reason = calls.length > 0 && !isCut ? "tool_calls" : ending;
  return {
    id: memory.id("chatcmpl-"),
    object: "chat.completion",
    created: 1_786_000_000,
    model: "gpt-4.1",
    choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  };
}

function frames(whole: Wire, { sizes }: Plan): string {
  const { choices, usage, ...head } = whole;
  const [only] = list(choices);
  const { content, refusal, reasoning_content: reasoning, annotations, tool_calls: calls } = wire(only?.message);
  const frame = (delta: Wire, finish: unknown = null) =>
    unnamed({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] });
  let out = frame({ role: "assistant", content: "", refusal: null });
  for (const piece of inPieces(text(reasoning), sizes)) out += frame({ reasoning_content: piece });
  for (const piece of inPieces(text(content), sizes)) out += frame({ content: piece });
  if (annotations) out += frame({ annotations });
  for (const piece of inPieces(text(refusal), sizes)) out += frame({ refusal: piece });
  for (const [index, call] of list(calls).entries()) {
    const kind = call.type === "custom" ? "custom" : "function";
    const field = kind === "custom" ? "input" : "arguments";
    const { name, [field]: args } = wire(call[kind]);
    out += frame({ tool_calls: [{ index, ...call, [kind]: { name, [field]: "" } }] });
    for (const piece of inPieces(text(args), sizes))
      out += frame({ tool_calls: [{ index, [kind]: { [field]: piece } }] });
  }
  out += frame({}, only?.finish_reason);
  return `${out}${unnamed({ ...head, object: "chat.completion.chunk", choices: [], usage })}data: [DONE]\n\n`;
}

/** As the vendor's SDK adds a stream up: texts and arguments grow, whatever else there is is replaced. */
function gather(bytes: Buffer): Wire {
  const message: Record<string, unknown> = { content: null };
  const calls: Record<string, unknown>[] = [];
  for (const { choices } of eventsIn(bytes)) {
    const { content, refusal, tool_calls: deltas, ...more } = wire(list(choices)[0]?.delta);
    Object.assign(message, more);
    if (typeof content === "string") message.content = text(message.content) + content;
    if (typeof refusal === "string") message.refusal = text(message.refusal) + refusal;
    for (const { index, ...delta } of list(deltas)) calls[Number(index)] = added(calls[Number(index)] ?? {}, delta);
  }
  if (calls.length > 0) message.tool_calls = calls;
  return { choices: [{ message }] };
}

/** A call with what a frame adds to it. */
function added(call: Wire, { function: named, custom, ...rest }: Wire): Record<string, unknown> {
  const grown = (name: string, field: string, more: unknown): Wire => {
    const before = wire(call[name]);
    const { name: said = before.name, [field]: piece } = wire(more);
    return { [name]: { name: said, [field]: text(before[field]) + text(piece) } };
  };
  return {
    ...call,
    ...rest,
    ...(named !== undefined && grown("function", "arguments", named)),
    ...(custom !== undefined && grown("custom", "input", custom)),
  };
}

const messageOf = (whole: Wire): Wire => wire(list(whole.choices)[0]?.message);

/** What vendors of this API take of an assistant, and what their own answers have besides. */
const known: ReadonlySet<string> = new Set([
  ...["role", "content", "refusal", "name", "audio", "tool_calls", "function_call"],
  ...["annotations", "reasoning_content"],
]);

/** docs: guides/function-calling, and the errors the API gives ("must be followed by tool messages responding to each"). */
function check(request: Wire, _memory: Memory, { own }: Asked): void {
  const messages = list(request.messages);
  let open: unknown[] = [];
  for (const [at, message] of messages.entries()) {
    const { role, content, tool_calls: calls, tool_call_id: id, refusal } = message;
    if (role === "tool") {
      must(open.includes(id), "a tool message answers a call of the turn before", message);
      open.splice(open.indexOf(id), 1);
      // docs: api-reference/chat, tool messages: "only type text is supported".
      must(typeof content === "string" || list(content).every(({ type }) => type === "text"), "a text", message);
    } else must(open.length === 0, "calls are followed by tool messages that answer each of them", { at, open });
    if (role !== "assistant") {
      for (const { type, file } of typeof content === "string" ? [] : list(content)) {
        must(["text", "image_url", "input_audio", "file"].includes(text(type)), "content the API knows", message);
        const { filename, file_data: data } = wire(file);
        if (file) must(filename && text(data).startsWith("data:application/pdf;base64,"), "a file that it takes", file);
      }
      must(typeof content === "string" || list(content).length > 0, "there is content", message);
      // Providers that know no developers call them the system.
      must(["system", "developer", "user", "tool"].includes(text(role)), "a role", role);
      continue;
    }
    must(typeof content === "string" || calls || refusal || list(content).length > 0, "there is something", message);
    must(calls === undefined || list(calls).length > 0, "no empty list of calls", message);
    // Groq, Mistral, Fireworks and Cerebras: "property 'content_blocks' is unsupported", "Extra inputs are not permitted".
    const unknown = Object.keys(message).filter((name) => !known.has(name));
    must(unknown.length === 0, "no fields the API does not know", { unknown, message });
    for (const { type } of typeof content === "string" ? [] : list(content))
      must(type === "text" || type === "refusal", "content the API knows", message);
    open = list(calls).map((call) => call.id);
    must(new Set(open).size === open.length, "ids are unique", message);
    for (const call of list(calls)) {
      must(typeof call.id === "string" && call.id !== "" && call.id.length <= 40, "an id of at most 40", call);
      if (call.type === "custom") {
        const { name, input, ...more } = wire(call.custom);
        must(offersText(request, name), "a custom tool that is offered", call);
        must(typeof input === "string" && Object.keys(more).length === 0, "an input, and nothing else", call);
        continue;
      }
      const { name, arguments: args, ...more } = wire(call.function);
      must(Object.keys(more).length === 0, "no fields the API does not know", call);
      must(
        call.type === "function" && name && (own || isObject(args)),
        "a function that is called with an object",
        call,
      );
    }
  }
  must(open.length === 0, "all calls are answered", open);
}

const offersText = (request: Wire, name: unknown): boolean =>
  list(request.tools).some(({ custom }) => custom !== undefined && wire(custom).name === name);

const withTextTool = ({ tools: offered, ...rest }: Wire): Wire => ({
  ...rest,
  tools: list(offered).map((one) => {
    const { name, description } = wire(one.function);
    return name === textTool ? { type: "custom", custom: { name, description } } : one;
  }),
});

export const chat: Speaker = {
  ...toolMessages,
  ask: (history, stream) => withTextTool(toolMessages.ask(history, stream)),
  format: openAiChat,
  model: "gpt-4.1",
  answer,
  frames,
  check,
  told: toldIn,
  shows: ["image", "address", "pdf", "audio"],
  reads: ["document"],
  wish: ({ thinking, forces, temperature }) => ({
    ...(typeof thinking === "string" && thinking !== "unsaid" && { reasoning_effort: thinking }),
    ...(typeof thinking === "number" && { thinking: { type: "enabled", budget_tokens: thinking } }),
    ...(forces && { tool_choice: "required" }),
    ...(temperature !== undefined && { temperature }),
  }),
  readsThoughts: ({ reasoning_effort: effort, thinking }, isStrict) =>
    !isStrict && (thinking !== undefined || (effort !== undefined && effort !== "none")),
  gather,
  keep: (whole) => [messageOf(whole)],
  calls: (whole) => callsIn(messageOf(whole)),
};
