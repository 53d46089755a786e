import { eventsIn, inPieces, list, named, objectOf, type Plan, text, type Wire, wire, writtenArgs } from "./speaker.ts";

/** Streams of the Messages API: as the vendor writes them, and as its clients add them up. */

export function frames(whole: Wire, { sizes }: Plan): string {
  const { content, stop_reason: stop, usage, ...head } = whole;
  let out = named("message_start", { message: { ...head, content: [], stop_reason: null, usage } });
  for (const [index, one] of list(content).entries()) {
    const delta = (inner: Wire) => named("content_block_delta", { index, delta: inner });
    const start = (inner: Wire) => named("content_block_start", { index, content_block: inner });
    const { type } = one;
    if (type === "text") {
      out += start({ type, text: "", ...("citations" in one && { citations: [] }) });
      for (const citation of list(one.citations)) out += delta({ type: "citations_delta", citation });
      for (const piece of inPieces(text(one.text), sizes)) out += delta({ type: "text_delta", text: piece });
    } else if (type === "thinking") {
      out += start({ type, thinking: "", signature: "" });
      for (const thinking of inPieces(text(one.thinking), sizes)) out += delta({ type: "thinking_delta", thinking });
      if (one.signature !== "") out += delta({ type: "signature_delta", signature: one.signature });
    } else if (type === "tool_use" || type === "server_tool_use") {
      out += start({ ...one, input: {} });
      const json = writtenArgs(one.input);
      for (const piece of json === "{}" ? [""] : inPieces(json, sizes))
        out += delta({ type: "input_json_delta", partial_json: piece });
    } else out += start(one);
    out += named("content_block_stop", { index });
  }
  out += named("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } });
  return out + named("message_stop", {});
}

/** As the vendor's SDK adds a stream up. */
export function gather(bytes: Buffer): Wire {
  let message: Record<string, unknown> = {};
  const content: Record<string, unknown>[] = [];
  const json: string[] = [];
  for (const event of eventsIn(bytes)) {
    const at = Number(event.index);
    const delta = wire(event.delta);
    const open = content[at];
    if (event.type === "message_start") message = { ...wire(event.message) };
    else if (event.type === "content_block_start") content[at] = { ...wire(event.content_block) };
    else if (event.type === "message_delta") Object.assign(message, delta);
    else if (event.type === "content_block_stop" && json[at]) Object.assign(open ?? {}, { input: objectOf(json[at]) });
    if (!open) continue;
    if (delta.type === "text_delta") open.text = text(open.text) + text(delta.text);
    else if (delta.type === "thinking_delta") open.thinking = text(open.thinking) + text(delta.thinking);
    else if (delta.type === "signature_delta") open.signature = delta.signature;
    else if (delta.type === "citations_delta") open.citations = [...list(open.citations), delta.citation];
    else if (delta.type === "input_json_delta") json[at] = (json[at] ?? "") + text(delta.partial_json);
  }
  return { ...message, content };
}
