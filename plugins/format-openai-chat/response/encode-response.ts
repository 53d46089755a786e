import {
  type AssistantPart,
  type ChatResponse,
  type Choice,
  type EncodeContext,
  type Extra,
  type Fields,
  isCustomCall,
  isRecord,
  jsonArguments,
  type ToolCallPart,
  withRanCode,
} from "../../../core/index.ts";
import { fieldsOf, formatName, isOwn, spellingOf } from "../extra.ts";
import { encodeCustomCall } from "../request/custom.ts";
import { encodeCall } from "../request/encode-messages.ts";
import { knowsFunctionsOnly } from "../request/functions.ts";
import { address, audioFormat } from "../request/sources.ts";
import { annotationsOf, otherCitations } from "./annotations.ts";
import { besideChoices } from "./beside-choices.ts";
import { drawnAgain, drawnField } from "./drawn-images.ts";
import { encodeFinishReason, functionReason } from "./finish-reason.ts";
import { besides, pagesIn } from "./found-pages.ts";
import { moderation as moderated } from "./moderation.ts";
import { proofIn, signatureOf } from "./proofs.ts";
import { joinedSounds, soundField, soundIn, wholeSound } from "./sounds.ts";
import { encodeUsage } from "./usage.ts";

/** Fields vendors add to the answers of this API, which strict clients do not see. */
const vendorFields: ReadonlySet<string> = new Set([
  "reasoning",
  "reasoning_details",
  "citations",
  "search_results",
  "groundingMetadata",
  "safetyRatings",
  "finish_message",
  "thought_signature",
]);

export const without = (fields: Fields, strict: boolean): Fields =>
  strict ? Object.fromEntries(Object.entries(fields).filter(([name]) => !vendorFields.has(name))) : fields;

/** Of another format's fields only those clients know by name are shown, and never to strict ones. */
export const foreign = (extra: Extra | undefined, strict: boolean): Fields =>
  !extra || isOwn(extra) || strict
    ? {}
    : Object.fromEntries(Object.entries(extra.fields).filter(([name]) => vendorFields.has(name)));

export function encodeResponse(response: ChatResponse, context: EncodeContext): Fields {
  const { strict } = context;
  const { usage: moreUsage, ...more } = fieldsOf(response.extra).inner;
  return Object.assign(encodeHead(response, context, "chat.completion"), {
    choices: response.choices.map((choice) => encodeChoice(choice, context)),
    ...(response.moderation && { moderation: moderated.encode(response.moderation) }),
    ...((response.usage || isRecord(moreUsage)) && {
      usage: { ...(response.usage && encodeUsage(response.usage)), ...(isRecord(moreUsage) && moreUsage) },
    }),
    ...(!strict && besides(response.choices.flatMap(({ content }) => content.flatMap(pagesIn)))),
    ...without(more, strict),
    ...foreign(response.extra, strict),
    ...(!strict && Object.assign({}, ...response.choices.map(({ extra }) => besideChoices(extra, strict)))),
  });
}

/** What every answer and every frame of a stream begins with. */
export const encodeHead = (
  { id, created, model }: Pick<ChatResponse, "id" | "created" | "model">,
  context: EncodeContext,
  object: string,
): Fields => ({
  id: id ?? `chatcmpl-${context.id}`,
  object,
  created: created ?? context.now,
  model: model ?? context.model,
  provider: context.provider,
});

function encodeChoice(choice: Choice, context: EncodeContext): Fields {
  const { strict } = context;
  const { inner, outer } = fieldsOf(choice.extra);
  const isFunction = choice.finishReason === "tool-calls" && knowsFunctionsOnly(context.asked);
  return {
    index: choice.index,
    message: { ...encodeMessage(withRanCode(choice.content, !strict), inner, context), ...without(inner, strict) },
    logprobs: choice.logprobs ?? null,
    finish_reason: isFunction
      ? functionReason
      : encodeFinishReason(choice.finishReason, choice.rawFinishReason, strict),
    ...without(outer, strict),
    ...foreign(choice.extra, strict),
  };
}

function encodeMessage(content: readonly AssistantPart[], more: Fields, context: EncodeContext): Fields {
  const { strict } = context;
  let text = "";
  let fields: Fields = {};
  const calls: Fields[] = [];
  const annotations: Fields[] = [];
  for (const part of content) {
    if (part.type === "text") {
      if (part.citations) annotations.push(...annotationsOf(part.citations, text.length, part.text.length));
      text += part.text;
    } else if (part.type === "tool-call") calls.push(answerCall(part, context));
    else if (part.type === "opaque" && part.format === formatName) fields = merged(fields, deltaFields(part.value));
    else if (part.type === "image") {
      const drawn = drawnAgain(part);
      if (drawn) fields = merged(fields, { [drawnField]: [drawn] });
    } else if (part.type === "refusal" || part.type === "thinking") {
      const name = part.type === "refusal" ? "refusal" : spellingOf(part.extra);
      if (name !== undefined && !(strict && vendorFields.has(name)))
        fields = merged(fields, { [name]: `${fields[name] ?? ""}${part.text}` });
    }
  }
  const spoken = joinedSounds(content.flatMap((part) => soundIn(part) ?? []));
  if (spoken !== undefined && !(soundField in fields))
    fields = { ...fields, [soundField]: wholeSound(spoken, context) };
  const elsewhere =
    calls.length > 0 || ["refusal", soundField, "function_call"].some((name) => name in fields || name in more);
  const blocks = strict ? [] : encodeBlocks(content);
  const images = blocks.filter((block) => block.type === "image_url");
  const citations = strict ? [] : content.flatMap(sourcedCitations);
  return {
    role: "assistant",
    content: text === "" && elsewhere ? null : text,
    ...(annotations.length > 0 && { annotations }),
    ...without(fields, strict),
    ...(calls.length > 0 &&
      (knowsFunctionsOnly(context.asked) ? { function_call: calls[0]?.function } : { tool_calls: calls })),
    ...(blocks.length > 0 && { content_blocks: blocks }),
    ...(images.length > 0 && { content_parts: images }),
    ...(citations.length > 0 && { citations }),
  };
}

/** Citations that name their sources are about the message, and stand there as well (providers.md section 12.3). */
const sourcedCitations = (part: AssistantPart): readonly unknown[] =>
  part.type === "text" ? (part.citations ?? []).filter((one) => isRecord(one) && Array.isArray(one.sources)) : [];

function answerCall(part: ToolCallPart, context: EncodeContext): Fields {
  const { strict } = context;
  if (isCustomCall(part, context)) return encodeCustomCall(part, strict ? {} : signatureOf(part.extra));
  const call = encodeCall(part, jsonArguments);
  const named = isRecord(call.function) ? call.function : {};
  return { ...call, function: strict ? without(named, strict) : { ...named, ...signatureOf(part.extra) } };
}

/**
 * Every part but the tool calls, in order; none when they would say no more than `content` does. Thinking that has a
 * field of its own in this format stays there.
 */
function encodeBlocks(content: readonly AssistantPart[]): Fields[] {
  const blocks: Fields[] = [];
  for (const part of content) {
    const block = encodeBlock(part);
    if (block) blocks.push(block);
  }
  const [first] = blocks;
  const plain = blocks.length === 1 && first?.type === "text" && Object.keys(first).length === 2;
  return plain ? [] : blocks;
}

export function encodeBlock(part: AssistantPart): Fields | undefined {
  switch (part.type) {
    case "text":
      return encodeTextBlock(part.text, otherCitations(part.citations));
    case "thinking": {
      if (spellingOf(part.extra) !== undefined) return undefined;
      return { type: "thinking", thinking: part.text, ...(part.signature !== undefined && proofIn(part)) };
    }
    case "redacted-thinking":
      return { type: "redacted_thinking", data: part.data };
    case "image":
      if (spellingOf(part.extra) === drawnField) return undefined;
      return { type: "image_url", image_url: { url: address(part.source) } };
    case "audio": {
      if (part.source.kind !== "data") return undefined;
      const { data, mediaType } = part.source;
      return { type: "input_audio", input_audio: { data, format: audioFormat(mediaType) } };
    }
    case "opaque":
      // A block without a type is a vendor's own business; clients could not tell what it is.
      if (!isRecord(part.value) || typeof part.value.type !== "string") return undefined;
      // Nor is the name of what the Responses API keeps of its thoughts: it could not come back, and says nothing.
      if (part.value.type === "reasoning" && part.format === "openai-responses") return undefined;
      return { ...part.value };
    default:
      return undefined;
  }
}

const encodeTextBlock = (text: string, citations: readonly unknown[]): Fields => ({
  type: "text",
  text,
  ...(citations.length > 0 && { citations }),
});

/** Fields of a streamed message that the canonical model has no chunk for travel in an opaque part, piece by piece. */
export const deltaFields = (value: unknown): Fields => (isRecord(value) && isRecord(value.delta) ? value.delta : {});

const growing: ReadonlySet<string> = new Set(["arguments", "data", "transcript", "text"]);

/** Joins pieces of streamed fields: lists grow, texts that are streamed grow, everything else is replaced. */
function merged(before: Fields, next: Fields): Fields {
  const all = { ...before };
  for (const [name, value] of Object.entries(next)) {
    const had = all[name];
    if (Array.isArray(had) && Array.isArray(value)) all[name] = [...had, ...value];
    else if (isRecord(had) && isRecord(value)) all[name] = merged(had, value);
    else if (typeof had === "string" && typeof value === "string" && growing.has(name)) all[name] = had + value;
    else all[name] = value;
  }
  return all;
}
