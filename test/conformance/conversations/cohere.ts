import { cohereChat } from "../../../plugins/format-cohere-chat/index.ts";
import {
  type Asked,
  argsText,
  blocks,
  eventsIn,
  inPieces,
  isObject,
  list,
  type Memory,
  must,
  named,
  type Plan,
  type Speaker,
  text,
  type Wire,
  wire,
} from "./speaker.ts";
import { callsIn, toldIn, toolMessages } from "./tool-messages.ts";

function answer({ pieces, ending, style }: Plan, memory: Memory): Wire {
  const content: Wire[] = [];
  const calls: Wire[] = [];
  const citations: Wire[] = [];
  let plan = "";
  const planned = style % 2 === 0 && pieces.some(({ kind }) => kind === "call");
  for (const piece of pieces) {
    if (piece.kind === "thought") {
      if (planned) plan += piece.text;
      else content.push({ type: "thinking", thinking: piece.text });
    } else if (piece.kind === "text" || piece.kind === "refusal" || piece.kind === "cited") {
      if (piece.kind === "cited") {
        const sources = [{ type: "document", id: "doc:0", document: { id: "doc:0", text: "A" } }];
        const place = { content_index: content.length, type: "TEXT_CONTENT" };
        citations.push({ start: 0, end: piece.text.length, text: piece.text, sources, ...place });
      }
      content.push({ type: "text", text: piece.text });
    } else if (piece.kind === "call") {
      const called = { name: piece.name, arguments: argsText(piece) };
      calls.push({ id: memory.id(`${piece.name}_${"w".repeat(style * 4)}`), type: "function", function: called });
    }
  }
  return {
    id: memory.id("c0"),
    message: {
      role: "assistant",
      ...(plan !== "" && { tool_plan: plan }),
      ...(content.length > 0 && { content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(citations.length > 0 && { citations }),
    },
    finish_reason: calls.length > 0 ? "TOOL_CALL" : ending === "length" ? "MAX_TOKENS" : "COMPLETE",
    usage: { billed_units: { input_tokens: 3, output_tokens: 5 }, tokens: { input_tokens: 3, output_tokens: 5 } },
  };
}

function frames(whole: Wire, { sizes }: Plan): string {
  const { content, tool_calls: calls, tool_plan: plan, citations } = wire(whole.message);
  const event = (type: string, inner: Wire, more: Wire = {}) => named(type, { ...more, delta: { message: inner } });
  const start = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
  let out = event("message-start", start, { id: whole.id });
  for (const piece of inPieces(text(plan), sizes)) out += event("tool-plan-delta", { tool_plan: piece });
  for (const [index, one] of list(content).entries()) {
    const field = one.type === "thinking" ? "thinking" : "text";
    out += event("content-start", { content: { type: one.type, [field]: "" } }, { index });
    for (const piece of inPieces(text(one[field]), sizes))
      out += event("content-delta", { content: { [field]: piece } }, { index });
    for (const [at, citation] of list(citations).entries())
      if (citation.content_index === index)
        out += event("citation-start", { citations: citation }, { index: at }) + named("citation-end", { index: at });
    out += named("content-end", { index });
  }
  for (const [index, call] of list(calls).entries()) {
    const { name, arguments: args } = wire(call.function);
    out += event("tool-call-start", { tool_calls: { ...call, function: { name, arguments: "" } } }, { index });
    for (const piece of inPieces(text(args), sizes))
      out += event("tool-call-delta", { tool_calls: { function: { arguments: piece } } }, { index });
    out += named("tool-call-end", { index });
  }
  return out + named("message-end", { delta: { finish_reason: whole.finish_reason, usage: whole.usage } });
}

/** As agents add a stream up. */
function gather(bytes: Buffer): Wire {
  const content: Record<string, unknown>[] = [];
  const calls: Record<string, unknown>[] = [];
  const citations: unknown[] = [];
  let plan = "";
  for (const { type, index, delta } of eventsIn(bytes)) {
    const at = Number(index);
    const said = wire(wire(delta).message);
    if (type === "content-start") content[at] = { ...wire(said.content) };
    else if (type === "content-delta") {
      for (const [field, piece] of Object.entries(wire(said.content)))
        content[at] = { ...content[at], [field]: text(content[at]?.[field]) + text(piece) };
    } else if (type === "tool-plan-delta") plan += text(said.tool_plan);
    else if (type === "tool-call-start") calls[at] = { ...wire(said.tool_calls) };
    else if (type === "tool-call-delta") {
      const called = wire(calls[at]?.function);
      const args = text(called.arguments) + text(wire(wire(said.tool_calls).function).arguments);
      calls[at] = { ...calls[at], function: { ...called, arguments: args } };
    } else if (type === "citation-start") citations.push(said.citations);
  }
  return {
    message: {
      role: "assistant",
      ...(plan !== "" && { tool_plan: plan }),
      ...(content.length > 0 && { content: content.filter(Boolean) }),
      ...(calls.length > 0 && { tool_calls: calls.filter(Boolean) }),
      ...(citations.length > 0 && { citations }),
    },
  };
}

/** docs: docs/tool-use-usage-patterns, reference/chat (messages). */
function check(request: Wire, _memory: Memory, { own }: Asked): void {
  let open: unknown[] = [];
  for (const [at, message] of list(request.messages).entries()) {
    const { role, content, tool_calls: calls, tool_call_id: id, tool_plan: plan } = message;
    if (role === "tool") {
      must(open.includes(id), "a result is of a call of the turn before", message);
      open.splice(open.indexOf(id), 1);
      continue;
    }
    must(open.length === 0, "all calls have results", { at, open });
    if (role === "assistant") {
      must(blocks(content).length > 0 || list(calls).length > 0 || plan, "there is something", message);
      must(calls === undefined || list(calls).length > 0, "no empty list of calls", message);
      for (const one of blocks(content)) must(/^(?:text|thinking)$/.test(text(one.type)), "content it knows", one);
      for (const call of list(calls)) {
        const { name, arguments: args } = wire(call.function);
        must(call.id && name && (own || isObject(args)), "a call with an id and arguments that are an object", call);
      }
      open = list(calls).map((call) => call.id);
      must(new Set(open).size === open.length, "ids are unique", message);
    } else {
      must(blocks(content).length > 0 && content !== "", "there is content", message);
      for (const { type } of blocks(content))
        must(/^(?:text|image_url)$/.test(text(type)), "content it knows", message);
    }
  }
  must(open.length === 0, "all calls have results", open);
}

export const cohere: Speaker = {
  ...toolMessages,
  format: cohereChat,
  model: "command-a-03-2025",
  answer,
  frames,
  check,
  told: toldIn,
  shows: ["image", "address"],
  beside: ({ documents }) => list(documents).map(({ data }) => text(wire(data).text)),
  wish: ({ thinking, forces, temperature }) => ({
    ...(typeof thinking === "number" && { thinking: { type: "enabled", token_budget: thinking } }),
    ...(thinking === "none" && { thinking: { type: "disabled" } }),
    ...(forces && { tool_choice: "REQUIRED" }),
    ...(temperature !== undefined && { temperature }),
  }),
  gather,
  // An answer of nothing is none: the API refuses it in a history.
  keep: ({ message }) => (wire(message).content || wire(message).tool_calls ? [wire(message)] : []),
  calls: ({ message }) => callsIn(wire(message)),
};
