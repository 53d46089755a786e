import {
  answerSchema,
  type ChatRequest,
  claudeSampling,
  compact,
  type Extra,
  type Fields,
  isRecord,
  type Message,
  type OperationSpec,
  reportOnce,
  summaryField,
  visibleStops,
  withAllowedTools,
  withFewBreakpoints,
  withoutOpenThinking,
  withUniqueIds,
  withUserTurn,
} from "../../../core/index.ts";
import { formatName, type Report, reportOthers, restore } from "../fields.ts";
import { encodeMessages } from "./encode-messages.ts";
import { planReasoning, type ReasoningPlan } from "./encode-reasoning.ts";
import { encodeToolChoice, encodeTools } from "./encode-tools.ts";
import { withLastingBreakpoints } from "./lasting-breakpoints.ts";
import { leavingOutMisfits } from "./leaving-out-misfits.ts";
import { abilitiesOf, isClaude } from "./model-version.ts";
import { signedBy } from "./signed-by.ts";

/** What is known of the vendor besides the model. */
export type Vendor = Pick<OperationSpec, "instructsWithin" | "leavesOutThinking" | "signer">;

/** What `encodeRequest` may report. Fields and types of other formats are reported under their own names besides. */
export const drops: readonly string[] = [
  "n",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "seed",
  "stop",
  "response_format",
  "response_format.description",
  "response_format.schema",
  "temperature",
  "top_p",
  "top_k",
  "reasoning_effort",
  "thinking",
  "thinking.budget_tokens",
  "thinking.display",
  "service_tier",
  "tool_choice",
  "parallel_tool_calls",
  "tools.parameters",
  "tools.strict",
  "tools.native",
  "messages.name",
  "messages.prompt_cache_breakpoint",
  "messages.text",
  "messages.audio",
  "messages.document",
  "messages.image",
  "messages.image_url.detail",
  "messages.thinking",
  "messages.citations",
  "messages.opaque",
];

export function encodeRequest(canonical: ChatRequest, report: Report, vendor: Vendor = {}): Fields {
  const once = reportOnce(report);
  const request = withAllowedTools(withChatFields(signedBy(vendor.signer, canonical, once)), once);
  reportUnknown(request, once);
  const tools = request.tools && encodeTools(request.tools, once, isForeignClaude(request));
  const hasTools = tools !== undefined && tools.length > 0;
  const toolChoice = encodeToolChoice(request, hasTools, once);
  const forced = toolChoice?.type === "any" || toolChoice?.type === "tool";
  const plan = planReasoning(request, forced, once);
  const { system, messages } = encodeMessages(spokenIn(request, plan, once), once, {
    endsSpoken: isForeignClaude(request),
    instructsWithin: vendor.instructsWithin === true && abilitiesOf(request.model).instructedWithin === true,
  });
  const wire: Fields = compact({
    model: request.model === "" ? undefined : request.model,
    max_tokens: plan.maxTokens,
    system: system.length > 0 ? system : undefined,
    messages,
    ...encodeSampling(request, plan, once),
    stop_sequences: visibleStops(request.stop, once),
    stream: request.stream ? true : undefined,
    tools: hasTools ? tools : undefined,
    tool_choice: toolChoice,
    thinking: plan.thinking,
    output_config: encodeOutput(request, plan.effort, once),
    metadata: request.user === undefined ? undefined : { user_id: request.user },
    ...encodeTier(request.serviceTier, once),
  });
  return leavingOutMisfits(withExtras(wire, request.extra, once), request, vendor);
}

/** What a Claude would refuse is left out, but for what a client of this format says to it. */
const isForeignClaude = ({ model, extra }: ChatRequest): boolean => extra?.format !== formatName && isClaude(model);

function spokenIn(request: ChatRequest, plan: ReasoningPlan, report: Report): readonly Message[] {
  const { extra, messages } = request;
  const said =
    extra?.format === formatName
      ? messages
      : withUniqueIds(withUserTurn(withLastingBreakpoints(request, withFewBreakpoints(request, report)), formatName));
  return isWithoutThinking(request, plan) ? withoutOpenThinking(said, report) : said;
}

/** Whether a Claude does not think although its client may have it think, or says nothing of that. */
function isWithoutThinking(request: ChatRequest, { thinking }: ReasoningPlan): boolean {
  const { model, reasoning, extra } = request;
  if (!isClaude(model) || (extra?.format === formatName && reasoning?.mode !== "enabled")) return false;
  // A switch of a kind the chat format does not know goes beside the canonical fields.
  if (thinking === undefined) return !abilitiesOf(model).thinksUnasked && extra?.fields.thinking === undefined;
  return thinking.type === "disabled";
}

/** Fields of the chat API without an equivalent. Their neutral values mean nothing and are not worth a report. */
function reportUnknown(request: ChatRequest, report: Report): void {
  if ((request.n ?? 1) !== 1) report("n");
  if (request.presencePenalty) report("presence_penalty");
  if (request.frequencyPenalty) report("frequency_penalty");
  if (request.logitBias && Object.keys(request.logitBias).length > 0) report("logit_bias");
  if (request.logprobs) report("logprobs");
  if (request.topLogprobs) report("top_logprobs");
  if (request.seed !== undefined) report("seed");
}

/** Thinking that was switched on by an effort excludes what the API refuses beside it. */
function encodeSampling(request: ChatRequest, { implied }: ReasoningPlan, report: Report): Fields {
  const { temperature, topP, topK } = claudeSampling(request, implied === true, report);
  return { temperature, top_p: topP, top_k: topK };
}

function encodeOutput(request: ChatRequest, effort: string | undefined, report: Report): Fields | undefined {
  const { responseFormat: format, extra } = request;
  if (format?.type === "json") report("response_format");
  if (format?.type !== "json-schema") return effort === undefined ? undefined : { effort };
  if (format.description !== undefined) report("response_format.description");
  const schema = extra?.format === formatName ? format.schema : answerSchema(format.schema, report);
  const asked = schema && { type: "json_schema", schema };
  return effort === undefined && !asked ? undefined : compact({ effort, format: asked });
}

/** `fast` and `standard` are a speed here; the rest is a tier of capacity. */
function encodeTier(tier: string | undefined, report: Report): Fields {
  switch (tier) {
    case undefined:
      return {};
    case "fast":
    case "standard":
      return { speed: tier };
    case "auto":
    case "standard_only":
      return { service_tier: tier };
    case "default":
      return { service_tier: "standard_only" };
    default:
      report("service_tier");
      return {};
  }
}

/** Fields of this API which clients of the chat format may send as they are. */
const shared = new Set([
  "thinking",
  "cache_control",
  "context_management",
  "inference_geo",
  "diagnostics",
  "fallbacks",
  "mcp_servers",
  "container",
  "speed",
  "output_config",
  "anthropic_beta",
  "anthropic_version",
]);

function withExtras(wire: Fields, extra: Extra | undefined, report: Report): Fields {
  if (!extra || extra.format === formatName) return restore(wire, extra);
  const carried = (name: string, value: unknown) =>
    extra.format === "openai-chat" &&
    shared.has(name) &&
    (wire[name] === undefined || (isRecord(wire[name]) && isRecord(value)));
  const kept = Object.entries(extra.fields).filter(([name, value]) => carried(name, value));
  const names = new Set([...kept.map(([name]) => name), summaryField]);
  reportOthers(extra, "", report, names);
  return restore(wire, { format: formatName, fields: Object.fromEntries(kept) });
}

/** A chat client that sends `max_tokens` beside `max_completion_tokens` means the former for this API. */
function withChatFields(request: ChatRequest): ChatRequest {
  const { extra } = request;
  if (extra?.format !== "openai-chat" || typeof extra.fields.max_tokens !== "number") return request;
  const { max_tokens: maxTokens, ...fields } = extra.fields;
  return { ...request, maxTokens, extra: { ...extra, fields } };
}
