import {
  type AssistantPart,
  type ChatResponse,
  compact,
  type Fields,
  isRecord,
  leftovers,
  raise,
  readErrorBody,
  type ToolCallPart,
  writeJson,
} from "../../../core/index.ts";
import { citationList } from "../citations.ts";
import { extraOf, formatName } from "../fields.ts";
import { planOf, withCitations } from "../request/decode-messages.ts";
import { decodeFinishReason } from "./finish-reason.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { decodeUsage, usageLeftovers } from "./usage.ts";

const answerFields = new Set(["id", "message", "finish_reason", "usage", "logprobs"]);
const messageFields = new Set(["role", "content", "tool_plan", "tool_calls", "citations"]);
const callFields = new Set(["id", "type", "function"]);

export function decodeResponse(body: unknown): ChatResponse {
  if (!isRecord(body) || !isRecord(body.message))
    raise("upstream_invalid", `The answer holds no message: ${readErrorBody(body)?.message ?? "it is missing"}`);
  const { message } = body;
  const reason = textOf(body.finish_reason) || undefined;
  const usage = decodeUsage(body.usage);
  const logprobs = decodeLogprobs(body.logprobs);
  const { content, citations } = withCitations(contentOf(message.content), citationList(message.citations));
  const billed = usageLeftovers(body.usage);
  return {
    choices: [
      {
        index: 0,
        content: [...planOf(textOf(message.tool_plan)), ...content.filter(isSaid), ...callsOf(message.tool_calls)],
        finishReason: decodeFinishReason(reason),
        ...compact({ rawFinishReason: reason, logprobs }),
        ...endExtra(citations, billed, leftovers(message, messageFields)),
      },
    ],
    ...(typeof body.id === "string" && { id: body.id }),
    ...(usage && { usage }),
    ...extraOf(leftovers(body, answerFields)),
  };
}

/** What is known of an answer at its end besides its parts: citations about no text, and what is billed. */
export const endExtra = (citations: readonly unknown[], billed: Fields | undefined, more?: Fields) =>
  extraOf({ ...more, ...(citations.length > 0 && { citations }), ...(billed && { usage: billed }) });

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const isSaid = (part: AssistantPart): boolean =>
  !((part.type === "text" && part.citations === undefined) || part.type === "thinking") || part.text !== "";

function contentOf(content: unknown): AssistantPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (Array.isArray(content) ? content : []).map((item): AssistantPart => {
    if (!isRecord(item)) raise("upstream_invalid", "The answer holds content that is no object.");
    if (item.type === "text") return { type: "text", text: textOf(item.text) };
    if (item.type === "thinking") return { type: "thinking", text: textOf(item.thinking) };
    return { type: "opaque", format: formatName, value: item };
  });
}

const callsOf = (calls: unknown): ToolCallPart[] =>
  (Array.isArray(calls) ? calls : []).map((call, at) => decodeCall(isRecord(call) ? call : {}, at));

/** A call of an answer. One without an id gets the number of its place, which its result then names. */
export function decodeCall(wire: Readonly<Fields>, at: number): ToolCallPart {
  const inner = isRecord(wire.function) ? wire.function : {};
  const { arguments: given } = inner;
  return {
    type: "tool-call",
    id: textOf(wire.id) || `call_${at}`,
    name: textOf(inner.name),
    arguments: isRecord(given) ? writeJson(given) : textOf(given),
    ...extraOf(leftovers(wire, callFields)),
  };
}
