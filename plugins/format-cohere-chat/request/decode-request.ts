import { type ChatRequest, compact, type Fields, isRecord, leftovers, objectAt, refuse } from "../../../core/index.ts";
import { extraOf, listAt, textIn } from "../fields.ts";
import { decodeMessages } from "./decode-messages.ts";
import { withDocuments } from "./documents.ts";
import { decodeOutput, spellingIn } from "./output-format.ts";
import { decodeSettings, settingFields } from "./settings.ts";
import { decodeThinking } from "./thinking.ts";
import { decodeToolChoice, decodeTools } from "./tools.ts";

const requestFields = new Set([
  "model",
  "stream",
  "messages",
  "documents",
  "tools",
  "strict_tools",
  "tool_choice",
  "response_format",
  "thinking",
  ...settingFields,
]);

export function decodeRequest(body: unknown): ChatRequest {
  const wire = objectAt(body, "");
  const messages = listAt(wire.messages, "messages");
  if (messages.length === 0) refuse("messages", "a list with at least one message", messages);
  const stream = wire.stream === true;
  const unread = leftovers(wire, requestFields) ?? {};
  return {
    model: textIn(wire.model, "model") ?? "",
    messages: wire.documents ? withDocuments(decodeMessages(messages), wire.documents) : decodeMessages(messages),
    stream,
    // Every stream of this format ends with the usage.
    ...(stream && { includeUsage: true }),
    ...decodeSettings(wire),
    ...decodeToolsAndFormat(wire, unread),
    ...compact({ reasoning: readOrKeep(wire, "thinking", decodeThinking, unread) }),
    ...extraOf(unread, spellingIn(wire.response_format) === "schema" ? { schema: true } : undefined),
  };
}

/** Strictness is said once: it is that of the tools, and that of the schema (providers.md section 12.2). */
function decodeToolsAndFormat(
  wire: Readonly<Fields>,
  unread: Fields,
): Pick<ChatRequest, "tools" | "toolChoice" | "responseFormat"> {
  const { tools, strict_tools: strict, tool_choice: choice } = wire;
  const toolChoice = decodeToolChoice(choice);
  if (choice !== undefined && choice !== null && !toolChoice) unread.tool_choice = choice;
  const list = tools === undefined || tools === null ? [] : listAt(tools, "tools");
  const format = readOrKeep(wire, "response_format", decodeOutput, unread);
  const strictly = strict === true && (list.length > 0 || format?.type === "json-schema");
  if (strict !== undefined && strict !== null && !strictly) unread.strict_tools = strict;
  return {
    ...compact({ tools: list.length > 0 ? decodeTools(list, strictly) : undefined, toolChoice }),
    ...(format && {
      responseFormat: strictly && format.type === "json-schema" ? Object.assign({}, format, { strict: true }) : format,
    }),
  };
}

/** An object this file has no name for is kept whole. */
function readOrKeep<Value>(
  wire: Readonly<Fields>,
  name: string,
  read: (value: Readonly<Fields>) => Value | undefined,
  unread: Fields,
): Value | undefined {
  const value = wire[name];
  if (value === undefined || value === null) return undefined;
  const found = isRecord(value) ? read(value) : refuse(name, "an object", value);
  if (found === undefined) unread[name] = value;
  return found;
}
