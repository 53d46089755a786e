import {
  type ChatRequest,
  compact,
  type Extra,
  type Fields,
  type FreeRequest,
  type ResponseFormat,
  reportOnce,
  summaryField,
  type Tool,
  usualTiers,
  withAllowedTools,
} from "../../../core/index.ts";
import { formatName, type Report, reportOthers, restore, writtenIn } from "../fields.ts";
import { encodeMessages } from "./encode-messages.ts";
import { encodeOutput } from "./output-format.ts";
import { encodeSettings } from "./settings.ts";
import { encodeThinking } from "./thinking.ts";
import { encodeToolChoice, encodeTools, isStrict } from "./tools.ts";

/** What `encodeRequest` may report. Fields and types of other formats are reported under their own names besides. */
export const drops: readonly string[] = [
  "n",
  "logit_bias",
  "top_logprobs",
  "stop",
  "user",
  "service_tier",
  "reasoning_effort",
  "response_format",
  "thinking.display",
  "response_format.description",
  "tool_choice",
  "parallel_tool_calls",
  "tools.cache_control",
  "tools.native",
  "messages.name",
  "messages.cache_control",
  "messages.prompt_cache_breakpoint",
  "messages.citations",
  "messages.thinking",
  "messages.image",
  "messages.audio",
  "messages.document",
  "messages.opaque",
  "messages.tool_result.is_error",
];

/** Fields of this API which clients of the chat format may send as they are (providers.md section 12.2). */
const shared: ReadonlySet<string> = new Set([
  "documents",
  "citation_options",
  "safety_mode",
  "strict_tools",
  "priority",
  "thinking",
  "k",
  "p",
]);

export function encodeRequest(canonical: ChatRequest, report: Report): Fields {
  const once = reportOnce(report);
  const request = withNamedTool(withAllowedTools(canonical, once, { byName: false }));
  reportUnknown(request, once);
  const { messages, documents } = encodeMessages(request.messages, once);
  const tools = encodeTools(request.tools ?? [], once);
  const responseFormat = formatBeside(tools, request.responseFormat, once);
  const strict = isStrict(request.tools) || (responseFormat?.type === "json-schema" && responseFormat.strict);
  const wire: Fields = compact({
    model: request.model === "" ? undefined : request.model,
    messages,
    stream: request.stream ? true : undefined,
    ...encodeSettings(request, once),
    response_format: encodeOutput(responseFormat, once, writtenIn(request.extra).schema ? "schema" : undefined),
    tools: tools.length > 0 ? tools : undefined,
    strict_tools: strict ? true : undefined,
    tool_choice: encodeToolChoice(request, tools.length, once),
    thinking: encodeThinking(request.reasoning, once),
  });
  return withDocuments(withExtras(wire, request.extra, once), documents);
}

/** JSON is not to be had where tools are (ResponseFormatV2: "not supported when used in combinations with … `tools`"). */
function formatBeside(tools: readonly Fields[], format: ResponseFormat | undefined, report: Report) {
  if (tools.length === 0 || !format || format.type === "text") return format;
  report("response_format");
  return undefined;
}

/** One tool cannot be named here: it is the only one that is brought. */
function withNamedTool(request: FreeRequest): FreeRequest {
  const { toolChoice, tools = [] } = request;
  if (toolChoice?.type !== "tool") return request;
  const { name } = toolChoice;
  const isNamed = (tool: Tool) => tool.type === "function" && tool.name === name;
  return tools.some(isNamed)
    ? { ...request, tools: tools.filter((tool) => tool.type !== "function" || isNamed(tool)) }
    : request;
}

/** Fields of the chat API without an equivalent. Their neutral values mean nothing and are not worth a report. */
function reportUnknown(request: ChatRequest, report: Report): void {
  if ((request.n ?? 1) !== 1) report("n");
  if (request.logitBias && Object.keys(request.logitBias).length > 0) report("logit_bias");
  if (request.topLogprobs) report("top_logprobs");
  if (request.user !== undefined) report("user");
  if (request.serviceTier !== undefined && !usualTiers.has(request.serviceTier)) report("service_tier");
}

/** What its models think is shown. */
const shown: ReadonlySet<string> = new Set([summaryField]);

function withExtras(wire: Fields, extra: Extra | undefined, report: Report): Fields {
  if (!extra || extra.format === formatName) return restore(wire, extra);
  const fromChat = extra.format === "openai-chat";
  reportOthers(extra, "", report, fromChat ? shared : shown);
  if (fromChat)
    for (const name of shared)
      if (wire[name] === undefined && Object.hasOwn(extra.fields, name)) wire[name] = extra.fields[name];
  return wire;
}

/** Documents that stood in messages come after those that were beside them. */
const withDocuments = (wire: Fields, documents: readonly unknown[]): Fields =>
  documents.length === 0
    ? wire
    : Object.assign(wire, { documents: [...(Array.isArray(wire.documents) ? wire.documents : []), ...documents] });
