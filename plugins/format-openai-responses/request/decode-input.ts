import {
  type AssistantPart,
  type ContentPart,
  checked,
  compact,
  type Fields,
  fieldsBeyond,
  inputArguments,
  inTurns,
  isRecord,
  type Message,
  readSignature,
  refuse,
  type TextPart,
  type ToolResultPart,
  unsigned,
} from "../../../core/index.ts";
import { extraOf, formatName, ownExtra } from "../extra.ts";
import { calledIn, nameIn } from "../namespaces.ts";
import { drawnIn } from "../response/built-in-items.ts";
import {
  customCall,
  functionCall,
  functionCallOutput,
  messageItem,
  outputText,
  reasoningItem,
  refusalPart,
  toolMessage,
  wireItem,
  wirePart,
} from "../wire.ts";
import { cacheOf, decodePart, onlyText, partsOf } from "./decode-parts.ts";

const roles = "one of user, assistant, system, developer, tool";

/** Thinking nobody may read travels in `encrypted_content`; this tells it from the signature of thinking. */
export const redactedPrefix = "redacted_thinking:";

/** What the result of a call of a tool for free text is called. */
export const customOutput = "custom_tool_call_output";

/** Items of the model that follow each other are one turn, and so are the results of tools. */
export function decodeInput(input: string | readonly unknown[]): Message[] {
  if (typeof input === "string") return [{ role: "user", content: [{ type: "text", text: input }] }];
  const messages: Message[] = [];
  for (let at = 0; at < input.length; at++)
    for (const message of decodeItem(input[at], `input[${at}]`)) messages.push(message);
  return inTurns([], messages);
}

const said = (...content: AssistantPart[]): Message[] => (content.length > 0 ? [{ role: "assistant", content }] : []);

function decodeItem(wire: unknown, path: string): Message[] {
  const { type, role } = checked(wireItem, wire, path);
  switch (type ?? (role ? "message" : undefined)) {
    case "message":
      return decodeMessage(wire, path);
    case "function_call":
      return said(decodeCall(wire, path));
    case "custom_tool_call":
      return said(decodeCustomCall(wire, path));
    case "function_call_output":
    case "custom_tool_call_output":
      return isUncalled(wire)
        ? said({ type: "opaque", format: formatName, value: wire, told: true })
        : [{ role: "tool", content: [decodeOutput(wire, path)] }];
    case "reasoning":
      return said(...decodeReasoning(wire, path));
    case undefined:
      return refuse(`${path}.type`, "the type of an item, or absent beside a role", undefined);
    case "image_generation_call": {
      const drawn = isRecord(wire) ? drawnIn(wire) : undefined;
      return said(drawn ?? { type: "opaque", format: formatName, value: wire });
    }
    default:
      // Built-in tools, their results and references: only vendors of this format can make something of them.
      return said({ type: "opaque", format: formatName, value: wire, ...(isTold(type ?? "") && { told: true }) });
  }
}

/** What the client did for a tool of the vendor's: `shell_call_output`, `mcp_approval_response`. */
const isTold = (type: string): boolean => type.endsWith("_output") || type.endsWith("_response");

/** What a tool says of itself, that the model did not call: named, and only vendors of this format know what to make of it. */
const isUncalled = (wire: unknown): boolean =>
  isRecord(wire) && (wire.call_id === undefined || wire.call_id === null) && typeof wire.name === "string";

function decodeMessage(wire: unknown, path: string): Message[] {
  const item = checked(messageItem, wire, path);
  const fields = compact(fieldsBeyond(item, messageItem));
  const extra = extraOf({}, Object.keys(fields).length > 0 ? { item: fields } : {});
  const { role, content } = item;
  switch (role) {
    case "user": {
      const parts = partsOf<ContentPart>(content, decodePart, `${path}.content`);
      return [{ role, content: marked(parts, item.cache_control), ...extra }];
    }
    case "system":
    case "developer": {
      const parts = partsOf<TextPart>(content, onlyText, `${path}.content`);
      return [{ role, content: marked(parts, item.cache_control), ...extra }];
    }
    case "assistant":
      return said(...decodeSaid(content, fields, `${path}.content`));
    case "tool":
      return [{ role, content: [decodeToolMessage(wire, path)] }];
    default:
      return refuse(`${path}.role`, roles, role);
  }
}

/** A cache marker on a message stands for one on its last part. */
function marked<Part extends ContentPart>(parts: readonly Part[], marker: Parameters<typeof cacheOf>[0]): Part[] {
  const last = parts.at(-1);
  if (!last || !marker || last.type === "opaque" || last.cache) return [...parts];
  return [...parts.slice(0, -1), Object.assign({}, last, cacheOf(marker))];
}

/** The first part of a message of the model remembers the message. */
function decodeSaid(content: string | readonly unknown[], item: Fields, path: string): AssistantPart[] {
  const parts = partsOf<AssistantPart>(content, decodeSaidPart, path);
  const [first, ...rest] = parts;
  if (!first || first.type === "opaque") return parts;
  return [Object.assign({}, first, ownExtra(first.extra?.fields, { item })), ...rest];
}

function decodeSaidPart(wire: unknown, path: string): AssistantPart {
  const { type } = checked(wirePart, wire, path);
  switch (type) {
    case "output_text":
    case "input_text":
    case "text": {
      const part = checked(outputText, wire, path);
      const { annotations } = part;
      const fields = compact(fieldsBeyond(part, outputText));
      const cited = annotations && annotations.length > 0;
      return Object.assign(
        { type: "text" as const, text: part.text },
        cited && { citations: annotations },
        cacheOf(part.cache_control),
        cited ? ownExtra(fields) : extraOf(fields),
      );
    }
    case "refusal": {
      const part = checked(refusalPart, wire, path);
      return { type: "refusal", text: part.refusal, ...extraOf(compact(fieldsBeyond(part, refusalPart))) };
    }
    default:
      return { type: "opaque", format: formatName, value: wire };
  }
}

function decodeCall(wire: unknown, path: string): AssistantPart {
  const item = checked(functionCall, wire, path);
  return {
    type: "tool-call",
    id: item.call_id,
    name: nameIn(item.namespace, item.name),
    arguments: item.arguments,
    ...cacheOf(item.cache_control),
    ...ownExtra({}, { item: { ...compact(fieldsBeyond(item, functionCall)), ...calledIn(item) } }),
  };
}

function decodeCustomCall(wire: unknown, path: string): AssistantPart {
  const item = checked(customCall, wire, path);
  return {
    type: "tool-call",
    id: item.call_id,
    name: nameIn(item.namespace, item.name),
    arguments: inputArguments(item.input),
    custom: true,
    ...cacheOf(item.cache_control),
    ...ownExtra({}, { item: { ...compact(fieldsBeyond(item, customCall)), ...calledIn(item) } }),
  };
}

function decodeOutput(wire: unknown, path: string): ToolResultPart {
  const item = checked(functionCallOutput, wire, path);
  const fields = compact(fieldsBeyond(item, functionCallOutput));
  return {
    type: "tool-result",
    toolCallId: item.call_id,
    content: partsOf<ContentPart>(item.output, decodePart, `${path}.output`),
    ...cacheOf(item.cache_control),
    ...extraOf(
      {},
      {
        ...(Object.keys(fields).length > 0 && { item: fields }),
        ...(item.type === customOutput && { spelling: customOutput }),
      },
    ),
  };
}

/** What clients of the chat API write where this one has items. */
function decodeToolMessage(wire: unknown, path: string): ToolResultPart {
  const item = checked(toolMessage, wire, path);
  const toolCallId = item.call_id ?? item.tool_call_id;
  if (typeof toolCallId !== "string") refuse(`${path}.call_id`, "a string", toolCallId);
  return {
    type: "tool-result",
    toolCallId,
    content: partsOf<ContentPart>(item.content, decodePart, `${path}.content`),
  };
}

/** A part for each text; the first one remembers the item, the last one has its signature. */
function decodeReasoning(wire: unknown, path: string): AssistantPart[] {
  const item = checked(reasoningItem, wire, path);
  const { encrypted_content: encrypted } = item;
  const note = compact(fieldsBeyond(item, reasoningItem));
  if (encrypted?.startsWith(redactedPrefix))
    return [
      { type: "redacted-thinking", data: encrypted.slice(redactedPrefix.length), ...ownExtra({}, { item: note }) },
    ];
  const proof = encrypted ? readSignature(encrypted, formatName) : {};
  // All texts of an item are as good as the proof of the last one.
  const whose = proof.signer === undefined ? {} : { signer: proof.signer };
  const texts = [
    ...(item.summary ?? []).map(({ text }) => ({ text, spelling: undefined })),
    ...(item.content ?? []).map(({ text }) => ({ text, spelling: "reasoning_text" })),
  ];
  // An item that no vendor of this format made is nothing but what it says.
  if (encrypted === unsigned) return texts.map(({ text }) => ({ type: "thinking", text }));
  if (texts.length === 0) texts.push({ text: "", spelling: undefined });
  return texts.map(({ text, spelling }, at) => ({
    type: "thinking",
    text,
    ...(at === texts.length - 1 ? proof : whose),
    ...ownExtra({}, { item: at === 0 ? note : undefined, spelling }),
  }));
}
