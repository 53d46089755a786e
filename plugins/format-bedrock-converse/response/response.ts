import {
  type AssistantPart,
  argumentsObject,
  type ChatResponse,
  clientId,
  type EncodeContext,
  errorMessage,
  type Fields,
  isBlank,
  isRecord,
  lookUp,
  raise,
  readErrorBody,
  type TextPart,
  type ToolCallPart,
  unsigned,
  withRanCode,
} from "../../../core/index.ts";
import { shownCitations } from "../blocks/citations.ts";
import { decodeBlocks, decodeSaid } from "../blocks/decode-block.ts";
import { encodeThinking, longestId, toolUse } from "../blocks/encode-block.ts";
import { formatName, isOwn, restore } from "../fields.ts";
import { formatOf } from "../media-types.ts";
import { decodeEnding, encodeEnding } from "./ending.ts";
import { encodeUsage, usageOf } from "./usage.ts";

export function decodeResponse(body: unknown): ChatResponse {
  const message = isRecord(body) && isRecord(body.output) ? body.output.message : undefined;
  if (!isRecord(body) || !isRecord(message) || !Array.isArray(message.content))
    return raise(
      "upstream_invalid",
      `The answer is not one of Converse: ${readErrorBody(body)?.message ?? "it has no output.message.content"}`,
    );
  const { reason, rawReason, stopSequence, extra } = decodeEnding(body);
  const usage = usageOf(body);
  return {
    choices: [
      {
        index: 0,
        content: contentOf(message.content),
        finishReason: reason,
        ...(rawReason !== undefined && { rawFinishReason: rawReason }),
        ...(stopSequence !== undefined && { stopSequence }),
        ...(extra && { extra }),
      },
    ],
    ...(usage && { usage }),
  };
}

function contentOf(blocks: readonly unknown[]): AssistantPart[] {
  try {
    return decodeBlocks(blocks, "output.message.content", decodeSaid).filter(
      (part) => !(part.type === "text" && part.text === "" && part.citations === undefined),
    );
  } catch (cause) {
    return raise("upstream_invalid", errorMessage(cause));
  }
}

/** Answers here hold one choice: of several the first is shown. */
export function encodeResponse(
  { choices, usage }: ChatResponse,
  context: Pick<EncodeContext, "elapsed" | "id">,
): Fields {
  const [choice] = choices;
  const { stopReason, fields, counted } = encodeEnding(
    {
      reason: choice?.finishReason ?? "other",
      rawReason: choice?.rawFinishReason,
      stopSequence: choice?.stopSequence,
      extra: choice?.extra,
    },
    context,
  );
  return {
    output: {
      message: {
        role: "assistant",
        content: withRanCode(choice?.content ?? []).flatMap((part) => encodePart(part, context.id) ?? []),
      },
    },
    stopReason,
    ...((usage || counted) && { usage: encodeUsage(usage ?? {}, counted) }),
    ...fields,
  };
}

/** A part of an answer; undefined for what this format cannot show. */
function encodePart(part: AssistantPart, answerId: string): Fields | undefined {
  switch (part.type) {
    case "text":
      return encodeSaid(part);
    case "refusal":
      return isBlank(part.text) ? undefined : { text: part.text };
    case "thinking":
      return encodeThinking(part, unsigned);
    case "redacted-thinking":
      return { reasoningContent: { redactedContent: part.data } };
    case "tool-call":
      return encodeCall(part, answerId);
    case "image":
      return encodeImage(part);
    case "opaque":
      return part.format === formatName && isRecord(part.value) ? part.value : undefined;
    case "audio":
      return encodeSound(part);
  }
}

function encodeSaid(part: TextPart): Fields | undefined {
  const own = isOwn(part.extra) ? part.extra.fields : undefined;
  const citations = shownCitations(part);
  if (citations.length === 0 && !(part.citations && own))
    return isBlank(part.text) ? undefined : restore({ text: part.text }, part.extra);
  return { citationsContent: { content: [{ text: part.text }], citations, ...own } };
}

/** Models do write arguments that are not JSON. They reach the client under a name no tool has a parameter for. */
const encodeCall = (part: ToolCallPart, answerId: string): Fields =>
  toolUse({ ...part, id: clientId(part.id, answerId, longestId) }, argumentsObject(part.arguments));

/** Images in answers come as bytes. */
export function encodeImage({ source, extra }: Extract<AssistantPart, { type: "image" }>): Fields | undefined {
  if (source.kind !== "data") return undefined;
  const format = formatOf("image", source.mediaType);
  return restore({ image: { format: lookUp(plain, format) ?? format, source: { bytes: source.data } } }, extra);
}
const plain: Readonly<Record<string, string>> = { jpg: "jpeg" };

/** Sounds do, too; streams of this API have no place for them. */
function encodeSound({ source, extra }: Extract<AssistantPart, { type: "audio" }>): Fields | undefined {
  if (source.kind !== "data") return undefined;
  return restore({ audio: { format: formatOf("audio", source.mediaType), source: { bytes: source.data } } }, extra);
}
