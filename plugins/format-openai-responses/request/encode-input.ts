import {
  type AssistantMessage,
  type AssistantPart,
  type Fields,
  type InstructionPart,
  inputIn,
  isInstruction,
  isRecord,
  isSaidElsewhere,
  isSignedElsewhere,
  type Message,
  objectArguments,
  type RefusalPart,
  reportForeign,
  shortId,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../../core/index.ts";
import { formatName, isOwn, type Report, readExtra } from "../extra.ts";
import { standsInItem } from "../response/built-in-items.ts";
import { imageItem } from "../response/whole-items.ts";
import { customOutput } from "./decode-input.ts";
import { contentOf, encodeOpaque, encodeParts, reportLosses } from "./encode-parts.ts";

/** Messages as items. Of the system messages the one that came in `instructions` is left out: it goes back there. */
export function encodeInput(messages: readonly Message[], report: Report, isExact: boolean): Fields[] {
  const items: Fields[] = [];
  // Other formats call the results of all tools alike.
  const custom = new Set<string>();
  for (const message of messages) {
    reportForeign(formatName, message.extra, "messages.", report);
    const { item, spelling } = readExtra(message.extra);
    if (spelling === "instructions") continue;
    if ("name" in message && message.name !== undefined) report("messages.name");
    switch (message.role) {
      case "assistant":
        items.push(...new Turn(report).encode(message));
        for (const part of message.content) if (part.type === "tool-call") noteKind(part, custom);
        break;
      case "tool":
        for (const result of message.content) items.push(encodeResult(result, custom, report, isExact));
        break;
      default: {
        const parts = encodeParts(message.content, report, isExact);
        if (parts.length === 0 && isInstruction(message) && isSaidElsewhere(message, formatName)) break;
        items.push({ type: "message", role: message.role, content: contentOf(parts), ...item });
      }
    }
  }
  return items;
}

/** Vendors that give calls no ids of their own may be heard of the same one twice: the last call of it is meant. */
function noteKind({ id, custom }: ToolCallPart, known: Set<string>): void {
  if (custom) known.add(id);
  else known.delete(id);
}

/** The text of the message that came in `instructions`; undefined where there is none. */
export function instructionsOf(messages: readonly Message[]): string | undefined {
  const found = messages.find(({ extra }) => readExtra(extra).spelling === "instructions");
  return found?.role === "system" ? found.content.map(textIn).join("") : undefined;
}

const textIn = (part: InstructionPart): string => (part.type === "text" ? part.text : "");

function encodeResult(result: ToolResultPart, custom: ReadonlySet<string>, report: Report, isExact: boolean): Fields {
  reportLosses(result, report);
  if (result.isError) report("messages.tool_result.is_error");
  const output = contentOf(encodeParts(result.content, report, isExact));
  const { item, spelling } = readExtra(result.extra);
  const type = custom.has(result.toolCallId) ? customOutput : (spelling ?? "function_call_output");
  return { type, call_id: callIdOf(result.toolCallId), output, ...item };
}

/** A turn of the model as items: a message holds texts, everything else is an item of its own. */
class Turn {
  readonly #report: Report;
  readonly #items: Fields[] = [];
  /** What the item last begun may still be given. */
  #content: Fields[] | undefined;
  #reasoning: Fields | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  encode(message: AssistantMessage): Fields[] {
    for (const part of message.content) this.#add(part);
    return this.#items.map(shortened);
  }

  #add(part: AssistantPart): void {
    if (part.type === "opaque") return this.#opaque(encodeOpaque(part, this.#report));
    // What came of code stands in the item of the code.
    if (standsInItem(readExtra(part.extra))) return;
    if (part.type !== "thinking" && part.type !== "redacted-thinking") reportLosses(part, this.#report);
    switch (part.type) {
      case "image": {
        const { item } = readExtra(part.extra);
        const drawn = item && imageItem(part, "");
        if (drawn) return this.#item(drawn);
        return this.#report("messages.image");
      }
      case "text":
      case "refusal":
        return this.#said(part);
      case "tool-call":
        return this.#item(encodeCall(part));
      case "thinking":
      case "redacted-thinking":
        // The vendor verifies thinking: only what came in an item of this format may go back, and only its own of that.
        if (part.type === "thinking" && isOwn(part.extra) && !isSignedElsewhere(part, formatName))
          return this.#thinking(part);
        this.#report("messages.thinking");
        return;
      default:
        this.#report(`messages.${part.type}`);
    }
  }

  #item(item: Fields): void {
    this.#items.push(item);
    this.#content = undefined;
    this.#reasoning = undefined;
  }

  /** Parts of a message nobody here knows stay in it; the rest are items. */
  #opaque(value: Fields | undefined): void {
    if (!value) return;
    if (/^(?:in|out)put_/.test(String(value.type))) this.#message(undefined).push(value);
    else this.#item(value);
  }

  #message(note: Readonly<Fields> | undefined): Fields[] {
    if (this.#content && !note) return this.#content;
    const content: Fields[] = [];
    this.#item({ type: "message", role: "assistant", content, ...note });
    this.#content = content;
    return content;
  }

  #said(part: TextPart | RefusalPart): void {
    const { fields, item } = readExtra(part.extra);
    const content = this.#message(item);
    if (part.type === "refusal") content.push({ type: "refusal", refusal: part.text, ...fields });
    else {
      const annotations = isOwn(part.extra) ? (part.citations ?? []) : [];
      content.push({ type: "output_text", text: part.text, annotations, ...fields });
    }
  }

  #thinking({ text, signature, extra }: ThinkingPart): void {
    const { item, spelling } = readExtra(extra);
    if (item || !this.#reasoning) {
      const reasoning: Fields = { type: "reasoning", ...item, summary: [] };
      this.#item(reasoning);
      this.#reasoning = reasoning;
    }
    const reasoning = this.#reasoning;
    if (!reasoning) return;
    const [field, type] = spelling === "reasoning_text" ? ["content", spelling] : ["summary", "summary_text"];
    const texts = reasoning[field];
    if (text !== "") reasoning[field] = [...(Array.isArray(texts) ? texts : []), { type, text }];
    if (signature !== undefined) reasoning.encrypted_content = signature;
  }
}

/** Longer ones are refused; those of other vendors may be. */
const callIdOf = (id: string): string => shortId(id, 64);

const encodeCall = ({ id, name, arguments: text, custom, extra }: ToolCallPart): Fields => ({
  type: custom ? "custom_tool_call" : "function_call",
  call_id: callIdOf(id),
  name,
  ...(custom ? { input: inputIn(text) } : { arguments: objectArguments(text) }),
  ...readExtra(extra).item,
});

/** A message that is one plain text is written as a string, unless it is one the vendor made. */
function shortened(item: Fields): Fields {
  if (item.type !== "message" || "id" in item || !Array.isArray(item.content) || item.content.length !== 1) return item;
  const [only] = item.content;
  const plain = isRecord(only) && only.type === "output_text" && Object.keys(only).length === 3;
  return plain && Array.isArray(only.annotations) && only.annotations.length === 0
    ? { ...item, content: only.text }
    : item;
}
