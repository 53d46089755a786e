import {
  type ChatRequest,
  type ContentPart,
  compact,
  type Fields,
  isRecord,
  leftovers,
  type Message,
  type Reasoning,
  type ResponseFormat,
  type ToolResultPart,
  type UserMessage,
} from "../../../core/index.ts";
import { blocksOf, decodeAssistant, decodeContent, decodeToolResult } from "../blocks/decode-block.ts";
import { decodeInstruction, decodeText } from "../blocks/decode-plain.ts";
import { extraOf, formatName } from "../fields.ts";
import { inside, type Place, read, refuse } from "../read.ts";
import { blockWire, fieldsOf, jsonSchemaWire, messageWire, type RequestWire, requestWire } from "../wire.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";

const root: Place = { path: "", fault: "invalid_request" };
const known = { request: fieldsOf(requestWire), message: fieldsOf(messageWire), schema: fieldsOf(jsonSchemaWire) };
const metadataFields = new Set(["user_id"]);

export function decodeRequest(body: unknown): ChatRequest {
  const wire = read(requestWire, body, root);
  const messages: Message[] = decodeSystem(wire.system);
  for (let at = 0; at < wire.messages.length; at++)
    for (const message of decodeMessage(wire.messages[at], at)) messages.push(message);
  const { reasoning, thinkingRest } = decodeReasoning(wire);
  const { responseFormat, outputRest } = decodeOutput(wire);
  const { toolChoice, parallelToolCalls, choiceRest } = decodeToolChoice(wire.tool_choice);
  const metadataRest = wire.metadata ? leftovers(wire.metadata, metadataFields) : undefined;
  const extra = Object.assign(
    leftovers(wire, known.request) ?? {},
    compact({
      tool_choice: choiceRest,
      metadata: metadataRest,
      thinking: thinkingRest,
      output_config: outputRest,
    }),
  );
  // Effort, schemas and thinking go back as they came, while those of other clients are adapted: the empty bag tells them apart.
  const marked = wire.output_config?.effort || responseFormat || messages.some(isThoughtful);
  return compact({
    model: wire.model ?? "",
    messages,
    stream: wire.stream === true,
    includeUsage: wire.stream === true ? true : undefined,
    maxTokens: wire.max_tokens,
    temperature: wire.temperature,
    topP: wire.top_p,
    topK: wire.top_k,
    stop: wire.stop_sequences,
    responseFormat,
    tools: wire.tools ? decodeTools(wire.tools, inside(root, "tools")) : undefined,
    toolChoice,
    parallelToolCalls,
    user: wire.metadata?.user_id,
    reasoning,
    serviceTier: wire.service_tier,
    extra: marked ? { format: formatName, fields: extra } : extraOf(extra).extra,
  });
}

const isThoughtful = ({ role, content }: Message): boolean =>
  role === "assistant" && content.some(({ type }) => type === "thinking" || type === "redacted-thinking");

function decodeSystem(system: RequestWire["system"]): Message[] {
  const content = blocksOf(system ?? [], inside(root, "system"), decodeText);
  return content.length > 0 ? [{ role: "system", content }] : [];
}

function decodeMessage(message: unknown, at: number): Message[] {
  const place = inside(inside(root, "messages"), at);
  const wire = read(messageWire, message, place);
  const content = inside(place, "content");
  const rest = leftovers(wire, known.message);
  if (wire.role === "system") {
    // The bag, empty or not, marks instructions that stand between messages: encoding leaves them there.
    const extra = { format: formatName, fields: rest ?? {} };
    return [{ role: "system", content: blocksOf(wire.content ?? [], content, decodeInstruction), extra }];
  }
  const said = wire.content ?? refuse(content, wire.content, "text or a list of content blocks");
  if (wire.role === "user") return decodeUser(said, content, rest);
  return [{ role: "assistant", content: blocksOf(said, content, decodeAssistant), ...extraOf(rest) }];
}

/** One wire turn becomes the tool results it holds, and what the user says besides. */
function decodeUser(content: string | readonly unknown[], place: Place, rest: Fields | undefined): Message[] {
  const parts = blocksOf(content, place, (block, at) =>
    read(blockWire, block, at).type === "tool_result" ? decodeToolResult(block, at) : decodeContent(block, at),
  );
  const results: ToolResultPart[] = [];
  const said: ContentPart[] = [];
  for (const part of parts)
    if (part.type === "tool-result") results.push(part);
    else said.push(part);
  const user: UserMessage = { role: "user", content: said };
  if (results.length === 0) return [Object.assign(user, extraOf(rest))];
  return [{ role: "tool", content: results, ...extraOf(rest) }, ...(said.length > 0 ? [user] : [])];
}

const modes = ["enabled", "disabled", "adaptive"] as const;
const thinkingFields = new Set(["type", "budget_tokens", "display"]);

function decodeReasoning(wire: RequestWire): { reasoning?: Reasoning; thinkingRest?: Fields } {
  const { thinking, output_config: output } = wire;
  if (!thinking && !output) return {};
  const mode = modes.find((name) => name === thinking?.type);
  const reasoning = compact({
    mode,
    effort: output?.effort,
    ...(mode && { budgetTokens: thinking?.budget_tokens, display: thinking?.display }),
  });
  // A switch newer than this file is kept whole.
  const rest = thinking && (mode ? leftovers(thinking, thinkingFields) : { ...thinking });
  return { ...(Object.keys(reasoning).length > 0 && { reasoning }), ...(rest && { thinkingRest: rest }) };
}

const outputFields = new Set(["effort", "format"]);

function decodeOutput(wire: RequestWire): { responseFormat?: ResponseFormat; outputRest?: Fields } {
  const { output_config: output } = wire;
  if (!output) return {};
  const rest = { ...leftovers(output, outputFields) };
  const { format } = output;
  if (format?.type !== "json_schema") {
    if (isRecord(format)) rest.format = format;
    return Object.keys(rest).length > 0 ? { outputRest: rest } : {};
  }
  const { schema } = read(jsonSchemaWire, format, inside(inside(root, "output_config"), "format"));
  const more = leftovers(format, known.schema);
  if (more) rest.format = more;
  return {
    responseFormat: { type: "json-schema", schema },
    ...(Object.keys(rest).length > 0 && { outputRest: rest }),
  };
}
