import {
  type AssistantPart,
  argumentsObject,
  type ContentPart,
  carriedOpaque,
  compact,
  type Fields,
  isRecord,
  isSignedFor,
  joined,
  type Message,
  type OpaquePart,
  proofForCall,
  refuseSilence,
  reportMarker,
  ShownResults,
  type SystemMessage,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../../core/index.ts";
import { idFor } from "../call-id.ts";
import { formatName, type Report, reportOthers, restore, writtenIn } from "../fields.ts";
import { encodeMedia } from "../media.ts";
import { type Abilities, abilitiesOf } from "../model-version.ts";
import { writeProof } from "../proof.ts";
import { isRanElsewhere } from "../ran-code.ts";
import { resolution } from "./chat-fields.ts";
import { writeResponse } from "./function-response.ts";
import { inOrderOfCalls } from "./result-order.ts";

/** A content while it is being put together. */
interface Turn {
  readonly role: string;
  readonly parts: Fields[];
  rest: Fields;
}

export interface EncodedContents {
  readonly instructions: readonly Fields[];
  readonly contents: readonly Fields[];
}

/** Fields of the chat API's parts and calls that have a place here. */
const carried: ReadonlySet<string> = new Set(["thought_signature", "media_resolution"]);

/** The name of a function whose call is not in the history. */
const unnamed = "unknown_function";

export function encodeContents(messages: readonly Message[], model: string, report: Report): EncodedContents {
  return new ContentsEncoder(abilitiesOf(model), model, report).encode(messages);
}

class ContentsEncoder {
  readonly #abilities: Abilities;
  readonly #merges: boolean;
  readonly #report: Report;
  readonly #turns: Turn[] = [];
  readonly #instructions: Fields[] = [];
  /** What tools gave besides text, for models that look at nothing else in a result. */
  readonly #shown = new ShownResults((text) => ({ text }));
  /** The proof of the next call, which its client gave back as thinking. */
  #callProof: string | undefined;
  /** The places of messages of which something is left. */
  readonly #left = new Set<number>();
  /** Functions by the ids of their calls: results do not say which function they are of. */
  readonly #names = new Map<string, string>();

  constructor(abilities: Abilities, model: string, report: Report) {
    this.#abilities = abilities;
    this.#merges = !model.includes("vision");
    this.#report = report;
  }

  encode(messages: readonly Message[]): EncodedContents {
    const ordered = inOrderOfCalls(messages);
    ordered.forEach((message, at) => {
      this.#message(message, at);
    });
    this.#show();
    refuseSilence(ordered, this.#left);
    return {
      instructions: this.#instructions,
      contents: this.#turns.map(({ role, parts, rest }) => ({ role, parts, ...rest })),
    };
  }

  #message(message: Message, at: number): void {
    reportOthers(message.extra, "messages.", this.#report);
    if ("name" in message && message.name !== undefined) this.#report("messages.name");
    const { extra } = message;
    switch (message.role) {
      case "system":
      case "developer":
        return this.#instruct(message, at);
      case "user":
        this.#show();
        return this.#say(at, "user", this.#parts(message.content), extra);
      case "assistant":
        this.#show();
        return this.#say(at, "model", this.#said(message.content), extra);
      case "tool":
        return this.#results(message.content, extra);
    }
  }

  #say(at: number, role: string, parts: readonly Fields[], extra: Message["extra"]): void {
    if (parts.length > 0) this.#left.add(at);
    this.#turn(role, parts, extra);
  }

  #instruct({ content, extra }: SystemMessage, at: number): void {
    const parts = this.#parts(content);
    if (this.#abilities.instructions) this.#instructions.push(...parts);
    else this.#say(at, "user", parts, extra);
  }

  /** Neighbours of one role are one turn here. */
  #turn(role: string, parts: readonly Fields[], extra: Message["extra"]): void {
    // A turn of which nothing is left is none, and its neighbours become one.
    if (parts.length === 0) return;
    const rest = restore({}, extra);
    const last = this.#turns.at(-1);
    if (this.#merges && last?.role === role) {
      last.parts.push(...parts);
      last.rest = joined(last.rest, rest);
    } else this.#turns.push({ role, parts: [...parts], rest });
  }

  #results(results: readonly ToolResultPart[], extra: Message["extra"]): void {
    const { role } = writtenIn(extra);
    const written = typeof role === "string";
    const shownInside = this.#abilities.shownResults || written;
    const parts = results.map((result) => this.#result(result, shownInside));
    this.#turn(written ? role : this.#abilities.resultRole, parts, extra);
  }

  /** The user shows the rest of the results after the last of them: the API wants those of one turn in one turn. */
  #show(): void {
    this.#turn("user", this.#shown.take(), undefined);
  }

  #result(part: ToolResultPart, shownInside: boolean): Fields {
    const { extra } = part;
    this.#losses(part);
    const text = part.content.map((one) => (one.type === "text" ? one.text : "")).join("");
    for (const one of part.content) if (one.type === "text") this.#losses(one);
    const shown = this.#parts(part.content.filter(({ type }) => type !== "text"));
    const [said] = shownInside ? [{ text }] : this.#shown.add(part, [{ text }], shown);
    const response = writeResponse(String(said?.text), part.isError === true, writtenIn(extra).response);
    const name = this.#names.get(part.toolCallId) ?? unnamed;
    const own = Object.assign(
      idFor(part.toolCallId),
      { name, response },
      shownInside && shown.length > 0 && { parts: shown },
    );
    const restored = restore({ functionResponse: own }, extra);
    // A name that is not that of the call is the client's own.
    const inner =
      extra?.format === formatName && isRecord(extra.fields.functionResponse) ? extra.fields.functionResponse : {};
    return typeof inner.name === "string"
      ? { ...restored, functionResponse: { ...(restored.functionResponse as Fields), name: inner.name } }
      : restored;
  }

  #losses(part: Exclude<ContentPart | AssistantPart | ToolResultPart, OpaquePart>): void {
    reportMarker(part.cache, this.#report);
    if (part.type === "text" && part.citations) this.#report("messages.citations");
    reportOthers(part.extra, "messages.", this.#report, carried);
  }

  #parts(parts: readonly ContentPart[]): Fields[] {
    return parts.map((part) => this.#part(part)).filter((part) => part !== undefined);
  }

  #part(part: ContentPart): Fields | undefined {
    if (part.type === "opaque") return this.#opaque(part);
    this.#losses(part);
    if (part.type === "text") return part.text === "" ? undefined : signedPart({ text: part.text }, part);
    if (part.type === "document" && part.name !== undefined) this.#report("messages.document.name");
    if (part.type === "image" && part.detail !== undefined && part.detail !== "auto")
      this.#report("messages.image_url.detail");
    return restore({ ...encodeMedia(part), ...resolutionOf(part) }, part.extra);
  }

  #said(parts: readonly AssistantPart[]): Fields[] {
    let calls = 0;
    this.#callProof = undefined;
    const said: Fields[] = [];
    for (const part of parts) {
      const wire = this.#saidPart(part, calls === 0);
      if (part.type === "tool-call") calls++;
      if (wire) said.push(wire);
    }
    return said;
  }

  #saidPart(part: AssistantPart, isFirstCall: boolean): Fields | undefined {
    switch (part.type) {
      case "thinking":
        this.#losses(part);
        return this.#thought(part);
      case "redacted-thinking":
        this.#report("messages.thinking");
        return undefined;
      case "refusal":
        this.#losses(part);
        return part.text === "" ? undefined : { text: part.text };
      case "tool-call":
        this.#losses(part);
        return this.#call(part, isFirstCall);
      default:
        return this.#part(part);
    }
  }

  /** A signature of another vendor is refused; the text is welcome without it, where there is any. */
  #thought(part: ThinkingPart): Fields | undefined {
    const signed = isSignedFor(part, formatName);
    const { signature, ...unsigned } = part;
    this.#callProof = signed ? proofForCall(part) : undefined;
    if (signed && this.#callProof === undefined) return encodeThought(part);
    if (signature !== undefined && !signed) this.#report("messages.thinking");
    return part.text === "" && part.extra?.format !== formatName ? undefined : encodeThought(unsigned);
  }

  #call(part: ToolCallPart, isFirst: boolean): Fields {
    const { id, name } = part;
    const args = argumentsObject(part.arguments);
    this.#names.set(id, name);
    const call = signedPart({ functionCall: Object.assign(idFor(id), { name, args }) }, part);
    if (this.#callProof !== undefined) call.thoughtSignature ??= this.#callProof;
    this.#callProof = undefined;
    // Calls that another model made have no signature; this is what the vendor takes in place of one.
    if (isFirst && this.#abilities.signedCalls && call.thoughtSignature === undefined)
      call.thoughtSignature = unsignedCall;
    return call;
  }

  #opaque(part: OpaquePart): Fields | undefined {
    return carriedOpaque(part, formatName, this.#report, isRanElsewhere);
  }
}

const unsignedCall = "skip_thought_signature_validator";

export const encodeThought = (part: ThinkingPart): Fields =>
  restore(
    compact({
      text: part.text,
      thought: true,
      thoughtSignature: part.signature === undefined ? undefined : writeProof(part),
    }),
    part.extra,
  );

/** A part with the signature its model gave it, which chat clients send back under the name they know. */
export function signedPart(wire: Fields, { extra }: Pick<ToolCallPart, "extra">): Fields {
  const signature = extra?.fields.thought_signature;
  const { thought_signature: _, ...restored } = restore(wire, extra);
  return typeof signature === "string" ? Object.assign(restored, { thoughtSignature: signature }) : restored;
}

/** `image_url.media_resolution` of the chat API. */
function resolutionOf({ extra }: ContentPart & { extra?: Message["extra"] }): Fields {
  const level = extra?.format === formatName ? undefined : extra?.fields.media_resolution;
  return typeof level === "string" ? { mediaResolution: { level: resolution(level) } } : {};
}
