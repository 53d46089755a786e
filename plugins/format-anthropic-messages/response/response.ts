import {
  type AssistantPart,
  argumentsObject,
  type ChatResponse,
  type Choice,
  callProof,
  clientId,
  type EncodeContext,
  type Extra,
  type Fields,
  isBlank,
  isRecord,
  joined,
  leftovers,
  ownFields,
  raise,
  type StartChunk,
  type ToolCallPart,
  type Usage,
  unsigned,
  writeSignature,
} from "../../../core/index.ts";
import { shownCitations } from "../blocks/citations.ts";
import { decodeAssistant } from "../blocks/decode-block.ts";
import { encodeRanCode } from "../blocks/ran-code.ts";
import { decodeError } from "../errors.ts";
import { extraOf, formatName, restore } from "../fields.ts";
import { inside, type Place, read } from "../read.ts";
import { answerWire, fieldsOf } from "../wire.ts";
import { decodeStopReason, encodeStop } from "./stop-reason.ts";
import { decodeUsage, encodeUsage, usageAtEnd, usageLeftovers } from "./usage.ts";

const root: Place = { path: "", fault: "upstream_invalid" };
/** What a stream says only at its end, beside the stop reason and inside its `delta`: it belongs to the choice. */
export const endFields: ReadonlySet<string> = new Set(["context_management", "input_transformations"]);
const deltaEndFields: ReadonlySet<string> = new Set(["container", "stop_details"]);
const headFields = fieldsOf(answerWire);
const allEndFields: readonly string[] = [...endFields, ...deltaEndFields];
const wholeFields: ReadonlySet<string> = new Set([...headFields, ...allEndFields]);

function endOf(wire: Readonly<Fields>): Fields | undefined {
  let fields: Fields | undefined;
  for (const name of allEndFields) {
    const value = wire[name];
    if (value === undefined || value === null) continue;
    fields ??= {};
    fields[name] = value;
  }
  return fields;
}

export function decodeResponse(body: unknown): ChatResponse {
  if (isRecord(body) && body.type === "error")
    raise("upstream_invalid", `The answer is not a message: ${decodeError(body)?.message ?? "an error"}`);
  const wire = read(answerWire, body, root);
  const { stop_reason: reason, stop_sequence: sequence } = wire;
  const usage = decodeUsage(wire.usage);
  const choice: Choice = {
    index: 0,
    content: (wire.content ?? [])
      .map((block, at) => decodeAssistant(block, inside(inside(root, "content"), at)))
      .map(withoutEmptyCitations)
      .filter((part) => !isEmpty(part)),
    finishReason: decodeStopReason(reason),
    ...(reason && { rawFinishReason: reason }),
    ...(typeof sequence === "string" && { stopSequence: sequence }),
    ...extraOf({ ...endOf(wire), ...usageAtEnd(wire.usage) }),
  };
  return Object.assign(decodeHead(wire, wholeFields), { choices: [choice], ...(usage && { usage }) });
}

/** What an answer and the first event of a stream have in common. */
export function decodeHead(wire: Readonly<Fields>, known = headFields): Omit<StartChunk, "type"> {
  const usage = usageLeftovers(wire.usage);
  const { id, model } = wire;
  return Object.assign(
    typeof id === "string" ? { id } : {},
    typeof model === "string" && { model },
    extraOf(usage ? Object.assign({}, leftovers(wire, known), { usage }) : leftovers(wire, known)),
  );
}

/** An uncited text may say so with an empty list; a stream of it would say nothing. */
function withoutEmptyCitations(part: AssistantPart): AssistantPart {
  if (part.type !== "text" || part.citations?.length !== 0) return part;
  const { citations: _, ...text } = part;
  return text;
}

const isEmpty = (part: AssistantPart) =>
  (part.type === "text" && part.text === "" && part.citations === undefined) ||
  (part.type === "thinking" && part.text === "" && part.signature === undefined);

export function encodeResponse(response: ChatResponse, context: EncodeContext): Fields {
  const [choice] = response.choices;
  const content = choice?.content ?? [];
  const refused = content.some(({ type }) => type === "refusal");
  const { usage: atEnd, ...end } = ownFields(formatName, choice?.extra);
  return Object.assign(encodeHead(response, context), {
    content: encodeContent(content, context.id),
    ...encodeStop(choice ?? { finishReason: "other" }, refused),
    usage: writtenUsage(response.usage, response.extra, atEnd),
    ...end,
  });
}

/** Everything of an answer that is known before its content. The id is the vendor's when it looks like one of ours. */
export function encodeHead(head: Omit<StartChunk, "type">, context: EncodeContext): Fields {
  const { id, model, extra } = head;
  return {
    id: id?.startsWith("msg_") ? id : `msg_${context.id}`,
    type: "message",
    role: "assistant",
    model: model ?? context.model,
    // Spread, not assigned: a field may have any name, and one of them would be the object's prototype.
    ...(extra?.format === formatName ? fieldsOfHead(extra) : undefined),
  };
}

function fieldsOfHead({ fields }: Extra): Fields {
  const { usage: _, ...others } = fields;
  return others;
}

/** Fields of `usage` that are no counts travel inside the bag of the answer, and of its end. */
export function writtenUsage(usage: Usage | undefined, extra: Extra | undefined, atEnd?: unknown): Fields {
  const { usage: said } = ownFields(formatName, extra);
  if (said === undefined && atEnd === undefined) return encodeUsage(usage);
  const own = { ...(isRecord(said) && said), ...(isRecord(atEnd) && atEnd) };
  return joined(encodeUsage(usage, own), own);
}

function encodeContent(parts: readonly AssistantPart[], answerId: string): Fields[] {
  const content: Fields[] = [];
  for (const part of parts) {
    if (part.type === "tool-call") prove(content, part);
    const said = encodeSaidPart(part, answerId);
    if (said) content.push(said);
    for (const block of encodeWholePart(part)) content.push(block);
  }
  return content;
}

/** The proof of a call goes with the thinking before it, where that has none, or with thinking that says nothing. */
function prove(content: Fields[], { extra }: ToolCallPart): void {
  const proof = callProof(extra);
  if (!proof) return;
  const signature = writeSignature(proof, formatName);
  const last = content.at(-1);
  if (last?.type === "thinking" && last.signature === unsigned) last.signature = signature;
  else content.push({ type: "thinking", thinking: "", signature });
}

/** A block that a stream tells piece by piece. */
function encodeSaidPart(part: AssistantPart, answerId: string): Fields | undefined {
  switch (part.type) {
    case "text": {
      const citations = shownCitations(part);
      if (isBlank(part.text) && !citations) return undefined;
      return restore({ type: "text", text: part.text, ...(citations && { citations }) }, part.extra);
    }
    case "refusal":
      return isBlank(part.text) ? undefined : { type: "text", text: part.text };
    case "thinking":
      if (part.text === "" && !part.signature) return undefined;
      return restore(
        { type: "thinking", thinking: part.text, signature: writeSignature(part, formatName) || unsigned },
        part.extra,
      );
    case "tool-call":
      return restore(
        { type: "tool_use", id: clientId(part.id, answerId), name: part.name, input: argumentsObject(part.arguments) },
        part.extra,
      );
    default:
      return undefined;
  }
}

/** Blocks that go out in one piece, in a stream too; none for what this format cannot show. */
export function encodeWholePart(part: AssistantPart): readonly Fields[] {
  if (part.type === "redacted-thinking") return [restore({ type: "redacted_thinking", data: part.data }, part.extra)];
  if (part.type !== "opaque") return [];
  if (part.format !== formatName) return part.ran ? encodeRanCode(part.ran) : [];
  return isRecord(part.value) ? [part.value] : [];
}
