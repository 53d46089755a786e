import {
  type Fields,
  GatewayError,
  isDone,
  isRecord,
  leftovers,
  parseFrame,
  raise,
  type StreamChunk,
  type StreamDecoder,
  type WireEvent,
} from "../../../core/index.ts";
import { citationList, citedContent } from "../citations.ts";
import { errorIn } from "../errors.ts";
import { extraOf, formatName } from "../fields.ts";
import { planExtra } from "../request/decode-messages.ts";
import { decodeCall, endExtra } from "../response/decode-response.ts";
import { decodeFinishReason } from "../response/finish-reason.ts";
import { decodeLogprobs } from "../response/logprobs.ts";
import { decodeUsage, usageLeftovers } from "../response/usage.ts";
import { eventType } from "./stream-end.ts";

/** An item of the content. Its part is numbered when it first says something: what stays empty has none. */
interface Item {
  readonly type: string;
  part?: number;
}

const startFields = new Set(["id", "type", "delta"]);

/**
 * message-start → (tool-plan-delta* | content-start → content-delta* → content-end | tool-call-start → tool-call-delta*
 * → tool-call-end | citation-start → citation-end)* → message-end
 */
export const decodeStream = (): StreamDecoder => new MessageDecoder();

class MessageDecoder implements StreamDecoder {
  readonly #items = new Map<number, Item>();
  /** The parts of the calls, by their index. */
  readonly #calls = new Map<number, number>();
  /** Citations that are about no text. */
  readonly #citations: unknown[] = [];
  /** What the event being read has given so far. */
  #chunks: StreamChunk[] = [];
  #plan: number | undefined;
  #parts = 0;
  #started = false;
  #ended = false;

  push(event: WireEvent): readonly StreamChunk[] {
    // Some hosts end this format the way another one ends.
    if (this.#ended || isDone(event)) return [];
    this.#chunks = [];
    const wire = parseFrame(event.data);
    const type = eventType(wire.type, event);
    const error = errorIn(wire, type);
    if (error) {
      this.#ended = true;
      const usage = isRecord(wire.delta) ? decodeUsage(wire.delta.usage) : undefined;
      return usage
        ? [
            { type: "usage", usage },
            { type: "error", error },
          ]
        : [{ type: "error", error }];
    }
    this.#take(type, wire);
    return this.#chunks;
  }

  get over(): boolean {
    return this.#ended;
  }

  end(): readonly StreamChunk[] {
    if (!this.#ended) raise("upstream_truncated", "The stream ended before the message was finished.");
    return [];
  }

  #take(type: string, wire: Fields): void {
    const message = isRecord(wire.delta) && isRecord(wire.delta.message) ? wire.delta.message : {};
    switch (type) {
      case "message-start":
        return this.#start(wire);
      case "content-start":
        return this.#openItem(indexOf(wire), message.content);
      case "content-delta":
        return this.#content(indexOf(wire), message.content, wire.logprobs);
      case "tool-plan-delta":
        return this.#planned(message.tool_plan);
      case "tool-call-start":
        return this.#call(indexOf(wire), firstOf(message.tool_calls));
      case "tool-call-delta":
        return this.#arguments(indexOf(wire), firstOf(message.tool_calls));
      case "citation-start":
        for (const citation of citationList(message.citations)) this.#cite(citation);
        return;
      case "message-end":
        return this.#finish(isRecord(wire.delta) ? wire.delta : {});
      default: // the ends of parts, and events newer than this file
    }
  }

  #start(wire: Fields): void {
    if (this.#started) return;
    this.#started = true;
    this.#chunks.push({
      type: "start",
      ...(typeof wire.id === "string" && { id: wire.id }),
      ...extraOf(leftovers(wire, startFields)),
    });
  }

  #openItem(index: number, content: unknown): void {
    this.#start({});
    const value = isRecord(content) ? content : {};
    const type = typeof value.type === "string" ? value.type : "text";
    const item: Item = { type };
    this.#items.set(index, item);
    if (type === "text" || type === "thinking") this.#say(item, value[type], undefined);
    else
      this.#chunks.push({
        type: "part",
        choice: 0,
        part: this.#partOf(item),
        value: { type: "opaque", format: formatName, value },
      });
  }

  #content(index: number, content: unknown, logprobs: unknown): void {
    if (!isRecord(content)) return;
    let item = this.#items.get(index);
    if (!item) {
      item = { type: typeof content.thinking === "string" ? "thinking" : "text" };
      this.#items.set(index, item);
    }
    this.#say(item, content[item.type], decodeLogprobs(logprobs));
  }

  #say(item: Item, value: unknown, logprobs: Fields | undefined): void {
    const text = typeof value === "string" ? value : "";
    if (text === "" && !logprobs) return;
    if (item.type === "thinking") {
      if (text !== "") this.#chunks.push({ type: "thinking-delta", choice: 0, part: this.#partOf(item), text });
    } else if (item.type === "text")
      this.#chunks.push({
        type: "text-delta",
        choice: 0,
        part: this.#partOf(item),
        text,
        ...(logprobs && { logprobs }),
      });
  }

  #planned(plan: unknown): void {
    if (typeof plan !== "string" || plan === "") return;
    this.#start({});
    this.#plan ??= this.#parts++;
    this.#chunks.push({ type: "thinking-delta", choice: 0, part: this.#plan, text: plan, ...planExtra });
  }

  #call(index: number, wire: Fields): void {
    this.#start({});
    const { id, name, arguments: text, extra } = decodeCall(wire, index);
    const part = this.#parts++;
    this.#calls.set(index, part);
    this.#chunks.push({ type: "tool-call-start", choice: 0, part, id, name, ...(extra && { extra }) });
    if (text !== "") this.#chunks.push({ type: "tool-call-delta", choice: 0, part, arguments: text });
  }

  #arguments(index: number, wire: Fields): void {
    const part = this.#calls.get(index) ?? malformed(`Tool call ${index} was continued before it started.`);
    const text = isRecord(wire.function) ? wire.function.arguments : undefined;
    if (typeof text === "string" && text !== "")
      this.#chunks.push({ type: "tool-call-delta", choice: 0, part, arguments: text });
  }

  #cite(citation: unknown): void {
    const about = citedContent(citation);
    const item =
      about === "first"
        ? [...this.#items.values()].find(({ type }) => type === "text")
        : about === undefined
          ? undefined
          : this.#items.get(about);
    if (item?.type === "text")
      this.#chunks.push({ type: "text-delta", choice: 0, part: this.#partOf(item), text: "", citations: [citation] });
    else this.#citations.push(citation);
  }

  #finish(delta: Fields): void {
    this.#start({});
    this.#ended = true;
    const { finish_reason: word } = delta;
    const raw = typeof word === "string" && word !== "" ? word : undefined;
    this.#chunks.push({
      type: "finish",
      choice: 0,
      reason: decodeFinishReason(raw),
      ...(raw !== undefined && { rawReason: raw }),
      ...endExtra(this.#citations, usageLeftovers(delta.usage)),
    });
    const usage = decodeUsage(delta.usage);
    if (usage) this.#chunks.push({ type: "usage", usage });
  }

  #partOf(item: Item): number {
    item.part ??= this.#parts++;
    return item.part;
  }
}

function malformed(message: string): never {
  throw new GatewayError("malformed_frame", message);
}

const indexOf = ({ index }: Fields): number => (typeof index === "number" ? index : 0);

/** Streams hold one object where whole answers hold a list. */
function firstOf(value: unknown): Fields {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(one) ? one : {};
}
