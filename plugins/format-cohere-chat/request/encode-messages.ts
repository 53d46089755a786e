import { isDeepStrictEqual } from "node:util";
import {
  type AssistantMessage,
  type AssistantPart,
  type ContentPart,
  carriedOpaque,
  type Fields,
  type ImagePart,
  isSaidElsewhere,
  type Message,
  type OpaquePart,
  objectArguments,
  ownFields,
  reportMarker,
  ShownResults,
  type ToolResultPart,
} from "../../../core/index.ts";
import { citationList, ownCitations } from "../citations.ts";
import { formatName, type Report, reportOthers, restore, writtenIn } from "../fields.ts";
import { encodeCall } from "../response/encode-response.ts";
import { documentText, encodeDocument } from "./documents.ts";

export interface EncodedMessages {
  readonly messages: readonly Fields[];
  /** Documents of the conversation: this API has them beside the messages. */
  readonly documents: readonly unknown[];
}

export const encodeMessages = (messages: readonly Message[], report: Report): EncodedMessages =>
  new MessagesEncoder(report).encode(messages);

/** Said where documents are all a user gives: they stand beside the messages, and the API refuses empty ones. */
const wordBesideDocuments = "See the documents.";

/** What chat clients have beside the content of an answer, and this API too. */
const beside: ReadonlySet<string> = new Set(["citations"]);

class MessagesEncoder {
  readonly #report: Report;
  readonly #messages: Fields[] = [];
  readonly #documents: unknown[] = [];
  /** What tools gave besides text and documents: the user shows it after the last of them. */
  readonly #shown = new ShownResults();
  /** The last message of a user of which nothing was left. */
  #silent: Fields | undefined;

  constructor(report: Report) {
    this.#report = report;
  }

  encode(messages: readonly Message[]): EncodedMessages {
    for (const message of messages) this.#message(message);
    this.#flush();
    // The API refuses empty messages, and chats of instructions only as well.
    if (this.#silent && this.#messages.every(({ role }) => role === "system")) this.#messages.push(this.#silent);
    return { messages: this.#messages, documents: this.#documents };
  }

  #message(message: Message): void {
    reportOthers(message.extra, "messages.", this.#report, message.role === "assistant" ? beside : undefined);
    if ("name" in message && message.name !== undefined) this.#report("messages.name");
    switch (message.role) {
      case "tool":
        for (const result of message.content) this.#messages.push(this.#result(result));
        break;
      case "assistant":
        this.#flush();
        this.#assistant(message);
        break;
      case "user": {
        const documents = this.#documents.length;
        // Two messages of the user behind each other are refused by templates of models that others serve.
        const parts = [...this.#shown.take(), ...this.#parts(message.content)];
        const isBeside = parts.length === 0 && this.#documents.length > documents;
        const content = isBeside ? wordBesideDocuments : contentOf(parts);
        const wire = restore({ role: "user", content }, message.extra);
        if (parts.length === 0 && message.content.length > 0 && !isBeside) this.#silent = wire;
        else this.#messages.push(wire);
        break;
      }
      default: {
        const parts = this.#parts(message.content);
        if (parts.length === 0 && isSaidElsewhere(message, formatName)) break;
        this.#flush();
        this.#messages.push(restore({ role: "system", content: contentOf(parts) }, message.extra));
      }
    }
  }

  #flush(): void {
    const content = this.#shown.take();
    if (content.length > 0) this.#messages.push({ role: "user", content });
  }

  #parts(parts: readonly ContentPart[]): Fields[] {
    const encoded: Fields[] = [];
    for (const part of parts) {
      const wire = this.#part(part);
      if (wire) encoded.push(wire);
    }
    return encoded;
  }

  #part(part: ContentPart): Fields | undefined {
    if (part.type === "opaque") return this.#opaque(part);
    this.#losses(part);
    switch (part.type) {
      case "text":
        return { type: "text", text: part.text };
      case "image":
        return this.#image(part);
      case "document":
        if (part.source.kind === "text") this.#documents.push(encodeDocument(part));
        else this.#report("messages.document");
        return undefined;
      case "audio":
        this.#report("messages.audio");
        return undefined;
    }
  }

  #image(part: ImagePart): Fields | undefined {
    const { source, detail, extra } = part;
    if (source.kind === "file" || source.kind === "text") {
      this.#report("messages.image");
      return undefined;
    }
    const url = source.kind === "url" ? source.url : `data:${source.mediaType};base64,${source.data}`;
    return { type: "image_url", image_url: restore({ url, ...(detail !== undefined && { detail }) }, extra) };
  }

  #opaque(part: OpaquePart): Fields | undefined {
    return carriedOpaque(part, formatName, this.#report);
  }

  #losses(part: Exclude<ContentPart | AssistantPart | ToolResultPart, OpaquePart>): void {
    reportMarker(part.cache, this.#report);
    reportOthers(part.extra, "messages.", this.#report);
  }

  #result(result: ToolResultPart): Fields {
    this.#losses(result);
    if (result.isError) this.#report("messages.tool_result.is_error");
    const content: Fields[] = [];
    const attachments: Fields[] = [];
    for (const part of result.content) {
      if (part.type === "text") {
        this.#losses(part);
        content.push(resultText(part.text, writtenIn(part.extra).document));
      } else if (part.type === "document" && part.source.kind === "text") {
        this.#losses(part);
        content.push({ type: "document", document: encodeDocument(part) });
      } else {
        const wire = this.#part(part);
        if (wire) (part.type === "opaque" ? content : attachments).push(wire);
      }
    }
    const said = contentOf(this.#shown.add(result, content, attachments));
    return restore({ role: "tool", tool_call_id: result.toolCallId, content: said }, result.extra);
  }

  /** A message of which nothing is left is none: the API refuses empty ones. */
  #assistant(message: AssistantMessage): void {
    const said = new Said();
    for (const part of message.content) this.#say(part, said);
    this.#losesCitations(message);
    const wire = said.message(ownFields(formatName, message.extra), message.extra?.fields.citations);
    if (wire || message.content.length === 0) this.#messages.push(wire ?? { role: "assistant", content: "" });
  }

  /** Citations beside the content that are of another vendor. */
  #losesCitations({ extra }: AssistantMessage): void {
    if (!extra || extra.format === formatName) return;
    const beside = citationList(extra.fields.citations);
    if (beside.length > 0 && ownCitations({ citations: beside }).length === 0) this.#report("messages.citations");
  }

  #say(part: AssistantPart, said: Said): void {
    if (part.type !== "opaque") this.#losses(part);
    switch (part.type) {
      case "text":
        if (part.citations && ownCitations(part).length < part.citations.length) this.#report("messages.citations");
        said.content.push({ type: "text", text: part.text });
        said.citations.push(...ownCitations(part));
        break;
      case "refusal":
        said.content.push({ type: "text", text: part.text });
        break;
      case "thinking":
        // The proof that goes with it is another vendor's.
        if (part.signature !== undefined) this.#report("messages.thinking");
        if (writtenIn(part.extra).tool_plan) said.plan += part.text;
        else if (part.text !== "") said.content.push({ type: "thinking", thinking: part.text });
        break;
      case "tool-call":
        said.calls.push(encodeCall(part, objectArguments));
        break;
      case "opaque": {
        const wire = this.#opaque(part);
        if (wire) said.content.push(wire);
        break;
      }
      default:
        this.#report(part.type === "redacted-thinking" ? "messages.thinking" : `messages.${part.type}`);
    }
  }
}

/** What an assistant message is made of. */
class Said {
  readonly content: Fields[] = [];
  readonly calls: Fields[] = [];
  readonly citations: unknown[] = [];
  plan = "";

  /** `beside` are citations that stood beside the content: chat clients have those of the content there once more. */
  message({ citations: _, ...more }: Readonly<Fields>, beside: unknown): Fields | undefined {
    const others = citationList(beside).filter(
      (one) =>
        ownCitations({ citations: [one] }).length > 0 && !this.citations.some((known) => isDeepStrictEqual(known, one)),
    );
    const cited = [...others, ...this.citations];
    if (this.content.length === 0 && this.calls.length === 0 && this.plan === "") return undefined;
    return {
      role: "assistant",
      ...(this.plan !== "" && { tool_plan: this.plan }),
      ...(this.content.length > 0 && { content: contentOf(this.content) }),
      ...(this.calls.length > 0 && { tool_calls: this.calls }),
      ...(cited.length > 0 && { citations: cited }),
      ...more,
    };
  }
}

/** One text alone is written as a string. */
function contentOf(parts: readonly Fields[]): string | readonly Fields[] {
  const [first] = parts;
  if (!first) return "";
  return parts.length === 1 && first.type === "text" && typeof first.text === "string" ? first.text : parts;
}

/** A document of a client of this format stays one, as long as nobody changed what it says. */
const resultText = (text: string, document: unknown): Fields =>
  document !== undefined && documentText(document) === text ? { type: "document", document } : { type: "text", text };
