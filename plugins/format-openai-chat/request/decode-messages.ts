import {
  type AssistantMessage,
  type AssistantPart,
  type CacheMarker,
  type ContentPart,
  checked,
  compact,
  fieldsBeyond,
  isRecord,
  type Message,
  refuse,
  type TextPart,
  type ToolCallPart,
} from "../../../core/index.ts";
import { extraOf, withKept } from "../extra.ts";
import {
  assistant,
  functionCall,
  functionMessage,
  instructions,
  toolCall,
  toolMessage,
  wireMessage,
  wirePart,
} from "../wire.ts";
import { decodeCustomCall } from "./custom.ts";
import { decodeSaid, partsOf, takeReasoning } from "./decode-blocks.ts";
import { cacheOf, decodePart, decodeText } from "./parts.ts";

const roles = "one of system, developer, user, assistant, tool, function";

export function decodeMessages(wire: readonly unknown[]): Message[] {
  // Calls of the deprecated function API have no ids. Each gets one from its place, which its answer then refers to.
  let lastCall = "call_function";
  return wire.map((message, at): Message => {
    const path = `messages[${at}]`;
    const { role } = checked(wireMessage, message, path);
    switch (role) {
      case "system":
      case "developer":
        return decodeInstructions(message, role, path);
      case "user":
        return decodeUser(message, path);
      case "assistant":
        if (isRecord(message) && isRecord(message.function_call)) lastCall = `call_function_${at}`;
        return decodeAssistant(message, path, lastCall);
      case "tool":
        return decodeTool(message, path);
      case "function":
        return decodeFunction(message, path, lastCall);
      default:
        return refuse(`${path}.role`, roles, role);
    }
  });
}

/** A cache marker on a message stands for one on its last part. */
function marked<Part extends { readonly type: string }>(
  parts: readonly Part[],
  cache: CacheMarker | undefined,
): Part[] {
  const last = parts.at(-1);
  if (!last || !cache || last.type === "opaque" || "cache" in last) return [...parts];
  return [...parts.slice(0, -1), { ...last, cache }];
}

function onlyText(part: unknown, path: string): TextPart {
  const { type } = checked(wirePart, part, path);
  if (type !== "text") refuse(`${path}.type`, '"text"', type);
  return decodeText(part, path);
}

function decodeInstructions(wire: unknown, role: "system" | "developer", path: string): Message {
  const message = checked(instructions, wire, path);
  const parts = partsOf(message.content, onlyText, `${path}.content`);
  return {
    role,
    content: marked(parts, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(fieldsBeyond(message, instructions)),
  };
}

function decodeUser(wire: unknown, path: string): Message {
  const message = checked(instructions, wire, path);
  const parts = partsOf<ContentPart>(message.content, decodePart, `${path}.content`);
  return {
    role: "user",
    content: marked(parts, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(fieldsBeyond(message, instructions)),
  };
}

function decodeTool(wire: unknown, path: string): Message {
  const message = checked(toolMessage, wire, path);
  const { name } = message;
  const extra = extraOf(fieldsBeyond(message, toolMessage));
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: message.tool_call_id,
        content: partsOf<ContentPart>(message.content, decodePart, `${path}.content`),
        ...cacheOf(message.cache_control),
        ...(name === undefined ? extra : withKept(extra, { name })),
      },
    ],
  };
}

function decodeFunction(wire: unknown, path: string, toolCallId: string): Message {
  const message = checked(functionMessage, wire, path);
  const { role: _, content, name, ...fields } = message;
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId,
        content: partsOf<ContentPart>(content ?? "", decodePart, `${path}.content`),
        ...withKept(extraOf(fields, {}, "function"), { name }),
      },
    ],
  };
}

function decodeAssistant(wire: unknown, path: string, functionCallId: string): AssistantMessage {
  const message = checked(assistant, wire, path);
  const unread = fieldsBeyond(message, assistant);
  const thoughts = takeReasoning(unread);
  const calls = (message.tool_calls ?? []).map((call, at) => decodeToolCall(call, `${path}.tool_calls[${at}]`));
  const content: AssistantPart[] = [...thoughts, ...decodeSaid(message, path)];
  if (message.refusal) content.push({ type: "refusal", text: message.refusal });
  if (message.function_call) {
    const { name, arguments: text } = message.function_call;
    content.push({
      type: "tool-call",
      id: functionCallId,
      name,
      arguments: text,
      ...extraOf(fieldsBeyond(message.function_call, functionCall), {}, "function_call"),
    });
  }
  content.push(...calls);
  return {
    role: "assistant",
    content: marked(content, cacheOf(message.cache_control).cache),
    ...compact({ name: message.name }),
    ...extraOf(unread),
  };
}

/** Which kind of call one is; how the rest of it looks depends on that. */
const callOfKind = toolCall.pick({ type: true });

function decodeToolCall(wire: unknown, path: string): AssistantPart {
  const { type } = checked(callOfKind, wire, path);
  if (isRecord(wire) && !isRecord(wire.function) && type !== "function" && typeof type === "string") {
    if (type !== "custom") refuse(`${path}.type`, '"function" or "custom"', type);
    return decodeCustomCall(wire, path);
  }
  return decodeFunctionCall(checked(toolCall, wire, path));
}

/** A call of a function. Its own unread fields stand inside `function`, those of the call around it beside. */
export function decodeFunctionCall(call: ReturnType<typeof toolCall.parse>): ToolCallPart {
  const outer = fieldsBeyond(call, toolCall);
  if (typeof call.type === "string" && call.type !== "function") outer.type = call.type;
  return {
    type: "tool-call",
    id: call.id,
    name: call.function.name,
    arguments: call.function.arguments ?? "",
    ...cacheOf(call.cache_control),
    ...extraOf(fieldsBeyond(call.function, functionCall), outer),
  };
}
