import { eventsIn, list, must, text, type Wire, wire } from "../conformance/conversations/speaker.ts";

/** Whether a stream is one as agents take it: events in their order, each about something that is open, and an end. */

export function checkStream(format: string, bytes: Buffer): void {
  checks[format]?.(eventsIn(bytes), bytes.toString());
}

/** Deltas by the kind of block they are about. */
const deltas: Readonly<Record<string, string>> = {
  text_delta: "text",
  citations_delta: "text",
  input_json_delta: "tool_use",
  thinking_delta: "thinking",
  signature_delta: "thinking",
};

function checkMessages(events: readonly Wire[], written: string): void {
  for (const [, name, type] of written.matchAll(/^event: (.*)\ndata: \{"type":"(\w+)"/gm))
    must(name === type, "events are called as they are", { name, type });
  const types = events.map(({ type }) => type).filter((type) => type !== "ping");
  must(types[0] === "message_start" && types.at(-1) === "message_stop", "a beginning and an end", types);
  must(types.at(-2) === "message_delta", "what it stopped at comes last", types);
  let open: string | undefined;
  let next = 0;
  for (const { type, index, content_block: block, delta } of events) {
    if (type === "content_block_start") {
      must(open === undefined && index === next++, "blocks one after the other", { index, open });
      open = text(wire(block).type);
    } else if (type === "content_block_delta")
      must(deltas[text(wire(delta).type)] === open && index === next - 1, "a delta of the open block", { delta, open });
    else if (type === "content_block_stop") {
      must(open !== undefined && index === next - 1, "the open block ends", { index, open });
      open = undefined;
    }
  }
  must(open === undefined, "all blocks end", open);
}

function checkResponses(events: readonly Wire[]): void {
  must(events[0]?.type === "response.created", "a beginning", events[0]);
  must(events.at(-1)?.type === "response.completed", "an end", events.at(-1));
  const open = new Map<unknown, Wire>();
  const done: Wire[] = [];
  for (const [at, { type, sequence_number: sequence, output_index: index, item, item_id: id }] of events.entries()) {
    must(sequence === at, "events are numbered", { sequence, at });
    if (type === "response.output_item.added") open.set(index, wire(item));
    else if (type === "response.output_item.done") {
      must(open.get(index)?.id === wire(item).id, "an item that was begun", item);
      open.delete(index);
      done[Number(index)] = wire(item);
    } else if (id !== undefined) must(open.get(index)?.id === id, "an event of an open item", { type, id });
  }
  const { output } = wire(events.at(-1)?.response);
  must(open.size === 0, "all items are done", [...open.values()]);
  must(JSON.stringify(output) === JSON.stringify(done), "the response has what was told", { output, done });
}

function checkChat(events: readonly Wire[], written: string): void {
  must(written.endsWith("data: [DONE]\n\n"), "an end", written.slice(-50));
  must(new Set(events.map(({ id }) => id)).size === 1, "one id", events);
  const choices = events.flatMap(({ choices: all }) => list(all));
  must(wire(choices[0]?.delta).role === "assistant", "a role first", choices[0]);
  const ends = choices.filter(({ finish_reason: reason }) => reason !== null && reason !== undefined);
  must(ends.length === 1 && ends[0] === choices.at(-1), "a reason at the end", choices);
  must(list(events.at(-1)?.choices).length === 0 && events.at(-1)?.usage, "usage behind it", events.at(-1));
}

function checkGemini(events: readonly Wire[]): void {
  const candidates = events.flatMap(({ candidates: all }) => list(all));
  const ends = candidates.filter(({ finishReason }) => finishReason !== undefined);
  must(ends.length === 1 && ends[0] === candidates.at(-1), "a reason at the end", candidates);
  for (const { content } of candidates)
    must(content === undefined || wire(content).role === "model", "contents of the model", content);
  must(events.at(-1)?.usageMetadata, "usage at the end", events.at(-1));
}

const checks: Readonly<Record<string, (events: readonly Wire[], written: string) => void>> = {
  "anthropic-messages": checkMessages,
  "openai-responses": checkResponses,
  "openai-chat": checkChat,
  gemini: checkGemini,
};
