import {
  type AssistantPart,
  type ChatResponse,
  type Choice,
  type EncodeContext,
  type Fields,
  jsonArguments,
  ownFields,
  ownOpaque,
  type ToolCallPart,
  withRanCode,
} from "../../../core/index.ts";
import { shownCitations } from "../citations.ts";
import { formatName, restore, writtenIn } from "../fields.ts";
import { encodeFinishReason } from "./finish-reason.ts";
import { encodeLogprobs } from "./logprobs.ts";
import { encodeUsage } from "./usage.ts";

export function encodeResponse(response: ChatResponse, context: EncodeContext): Fields {
  const choice: Choice = response.choices[0] ?? { index: 0, content: [], finishReason: "other" };
  const { citations, usage: billed, ...more } = ownFields(formatName, choice.extra);
  const logprobs = encodeLogprobs(choice.logprobs);
  return {
    id: response.id ?? context.id,
    message: Object.assign(
      encodeMessage(withRanCode(choice.content, false), Array.isArray(citations) ? citations : []),
      more,
    ),
    finish_reason: encodeFinishReason(choice),
    usage: encodeUsage(response.usage, billed),
    ...(logprobs.length > 0 && { logprobs }),
    ...ownFields(formatName, response.extra),
  };
}

function encodeMessage(parts: readonly AssistantPart[], others: readonly unknown[]): Fields {
  const content: Fields[] = [];
  const calls: Fields[] = [];
  const citations: unknown[] = [...others];
  let plan = "";
  for (const part of parts) {
    if (part.type === "tool-call") calls.push(encodeCall(part));
    else if (isPlan(part)) plan += part.text;
    else {
      const item = encodeItem(part);
      if (item) content.push(item);
      if (part.type === "text") citations.push(...shownCitations(part, part.text, content.length - 1));
    }
  }
  return {
    role: "assistant",
    ...(plan !== "" && { tool_plan: plan }),
    // Clients look at the first item of an answer without calls.
    ...((content.length > 0 || calls.length === 0) && {
      content: content.length > 0 ? content : [{ type: "text", text: "" }],
    }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(citations.length > 0 && { citations }),
  };
}

export const isPlan = (part: AssistantPart): part is Extract<AssistantPart, { type: "thinking" }> =>
  part.type === "thinking" && writtenIn(part.extra).tool_plan === true;

/** An item of `content`; undefined for what this format cannot show. */
function encodeItem(part: AssistantPart): Fields | undefined {
  switch (part.type) {
    case "text":
    case "refusal":
      return { type: "text", text: part.text };
    case "thinking":
      return { type: "thinking", thinking: part.text };
    default:
      return encodeOpaque(part);
  }
}

export const encodeOpaque = (part: AssistantPart): Fields | undefined => ownOpaque(part, formatName);

/** A call of an answer, or of a history where its arguments are `written` so. */
export const encodeCall = (
  { arguments: text, ...call }: Omit<ToolCallPart, "type">,
  written: (text: string) => string = jsonArguments,
): Fields => writtenCall(call, written(text));

/** A call that has just begun in a stream. */
export const startedCall = (call: Pick<ToolCallPart, "id" | "name" | "extra">): Fields => writtenCall(call, "");

const writtenCall = ({ id, name, extra }: Pick<ToolCallPart, "id" | "name" | "extra">, text: string): Fields =>
  restore({ id, type: "function", function: { name, arguments: text } }, extra);
