import { isDeepStrictEqual } from "node:util";
import {
  type ChatRequest,
  claudeSampling,
  compact,
  type Extra,
  type Fields,
  isRecord,
  joined,
  reportOnce,
  type Sampling,
  saidStops,
  summaryField,
  visibleStops,
  withAllowedTools,
  withFewBreakpoints,
  withoutOpenThinking,
} from "../../../core/index.ts";
import { filled, isOwn, type Report, reportOthers, restore, writtenIn } from "../fields.ts";
import { familyOf } from "../model-family.ts";
import { chatFields, chatSettings, chatTopFields } from "./chat-fields.ts";
import { encodeMessages } from "./encode-messages.ts";
import { familyFields } from "./family-fields.ts";
import {
  decodeReasoning,
  isKeptFromThinking,
  isWithoutThinking,
  planReasoning,
  type ReasoningPlan,
} from "./reasoning.ts";
import { decodeOutput, effortIn, encodeOutput, encodeTier } from "./settings.ts";
import { encodeTools } from "./tools.ts";

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
  "user",
  "temperature",
  "top_p",
  "top_k",
  "service_tier",
  "reasoning_effort",
  "thinking",
  "thinking.budget_tokens",
  "thinking.display",
  "response_format",
  "response_format.schema",
  "tool_choice",
  "parallel_tool_calls",
  "anthropic_beta",
  "anthropic_version",
  "tools.native",
  "tools.parameters",
  "tools.strict",
  "tools.cache_control",
  "messages.name",
  "messages.text",
  "messages.citations",
  "messages.thinking",
  "messages.cache_control",
  "messages.image_url.detail",
  "messages.image",
  "messages.audio",
  "messages.video",
  "messages.prompt_cache_breakpoint",
  "messages.tool_result.audio",
  "messages.opaque",
];

/** Fields of other formats that have a place in what a Claude is asked. */
const carriedForClaude: ReadonlySet<string> = new Set([...chatFields("anthropic"), summaryField]);

export function encodeRequest(canonical: ChatRequest, report: Report): Fields {
  const once = reportOnce(report);
  const request = withAllowedTools(withChatTokens(canonical), once);
  const { model, extra } = request;
  const own = isOwn(extra);
  const family = familyOf(model);
  // A Claude refuses to stop at white space.
  const stop = family === "anthropic" && !own ? visibleStops(request.stop, once) : saidStops(request.stop);
  reportOthers(extra, "", once, family === "anthropic" ? carriedForClaude : chatFields(family));
  const plan = reasoningOf(request, once);
  const { system, messages } = encodeMessages(saidIn(request, plan, once), once);
  const { config, natives } = encodeTools(request, once);
  const { temperature, topP, topK } = samplingOf(request, plan, family, once);
  const output = outputOf(request, family, once);
  const fields = [
    familyFields(request, topK, family, once),
    plan.fields,
    output.fields ?? {},
    natives.length > 0 ? { tools: natives } : {},
    chatSettings(extra, family),
  ].reduce(joined);
  return restore(
    compact({
      model: model === "" ? undefined : model,
      stream: request.stream ? true : undefined,
      messages,
      system: system.length > 0 ? system : undefined,
      inferenceConfig: filled({
        maxTokens: request.maxTokens ?? plan.maxTokens,
        temperature,
        topP,
        stopSequences: stop,
      }),
      toolConfig: config,
      additionalModelRequestFields: filled(fields),
      outputConfig: output.outputConfig,
      serviceTier: encodeTier(request.serviceTier, own, once),
      ...chatTopFields(extra),
    }),
    extra,
  );
}

function saidIn(request: ChatRequest, { fields }: ReasoningPlan, report: Report): ChatRequest {
  const { messages, extra } = request;
  const few = isOwn(extra) ? messages : withFewBreakpoints(request, report);
  const said = isWithoutThinking(request, fields) ? withoutOpenThinking(few, report) : few;
  return said === messages ? request : { ...request, messages: said };
}

/** A client of this format gets its own writing back, as long as nobody changed what it says. */
function reasoningOf(request: ChatRequest, report: Report): ReasoningPlan {
  const { reasoning: written } = writtenIn(request.extra);
  return isAsWritten(request) ? { fields: isRecord(written) ? written : {} } : planReasoning(request, report);
}

/** Whether a model thinks as its client wrote it in this format: an effort has two places. */
function isAsWritten(request: ChatRequest): boolean {
  const { reasoning: written, output } = writtenIn(request.extra);
  const effort = effortIn(output);
  const said = isRecord(written) ? decodeReasoning(written) : undefined;
  const whole = effort === undefined ? said : { effort, ...said };
  return whole !== undefined && isDeepStrictEqual(whole, request.reasoning) && !isKeptFromThinking(request);
}

function outputOf(request: ChatRequest, family: string, report: Report) {
  const { responseFormat, extra } = request;
  const { output: written } = writtenIn(extra);
  const isSame = isRecord(written) && isDeepStrictEqual(decodeOutput(written), responseFormat);
  // Whoever wrote this format has asked this model for it in so many words.
  const output = isSame ? { outputConfig: written } : encodeOutput(responseFormat, isOwn(extra) ? "" : family, report);
  const effort = effortIn(written);
  const kept = effort !== undefined && isAsWritten(request) ? effort : undefined;
  return { ...output, outputConfig: filled({ ...output.outputConfig, effort: kept }) };
}

/** How the answer is drawn. A client of this format has its own writing back, whichever model it asks. */
function samplingOf(request: ChatRequest, plan: ReasoningPlan, family: string, report: Report): Sampling {
  if (isOwn(request.extra)) return request;
  if (family === "anthropic") return claudeSampling(request, plan.implied === true, report);
  const { temperature, topP, topK } = request;
  // The vendor refuses more, whichever model is asked.
  return compact({ temperature: temperature === undefined ? undefined : Math.min(temperature, 1), topP, topK });
}

/** A chat client that sends `max_tokens` beside `max_completion_tokens` means the former for this API. */
function withChatTokens(request: ChatRequest): ChatRequest {
  const extra: Extra | undefined = request.extra;
  if (extra?.format !== "openai-chat" || typeof extra.fields.max_tokens !== "number") return request;
  const { max_tokens: maxTokens, ...fields } = extra.fields;
  return { ...request, maxTokens, extra: { ...extra, fields } };
}
