import {
  type ChatRequest,
  compact,
  displayApart,
  type Extra,
  type Fields,
  isEmpty,
  type OperationSpec,
  reportForeign,
  reportOnce,
  saidStops,
  shortUser,
  thinkingSwitchOf,
} from "../../../core/index.ts";
import { formatName, isOwn, type Report } from "../extra.ts";
import { logprobsInclude } from "./decode-request.ts";
import { encodeInput, instructionsOf } from "./encode-input.ts";
import { encodeTextFormat, encodeToolChoice, encodeTools } from "./tools.ts";

/** Names `encodeRequest` may report. Those of other formats' own fields come on top. */
export const drops = [
  "temperature",
  "top_p",
  "logprobs",
  "top_logprobs",
  "stop",
  "n",
  "seed",
  "top_k",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "thinking",
  "thinking.display",
  "reasoning_effort",
  "service_tier",
  "max_tokens",
  "user",
  "tool_choice",
  "parallel_tool_calls",
  "messages.name",
  "messages.cache_control",
  "messages.prompt_cache_breakpoint",
  "messages.citations",
  "messages.thinking",
  "messages.image",
  "messages.audio",
  "messages.tool_result.is_error",
  "tools.cache_control",
  "tools.parameters",
  "tools.strict",
] as const;

/** Fields the vendor's two APIs have in common, by their names in the other one. */
const shared: Readonly<Record<string, string>> = {
  metadata: "metadata",
  store: "store",
  verbosity: "text.verbosity",
  safety_identifier: "safety_identifier",
  prompt_cache_key: "prompt_cache_key",
  prompt_cache_retention: "prompt_cache_retention",
  prompt_cache_options: "prompt_cache_options",
};

/** Those that others who serve this API do not know: many would take them, and do nothing of them. */
const namesakes: readonly string[] = ["moderation"];

export function encodeRequest(
  request: ChatRequest,
  report: Report,
  vendor?: Pick<OperationSpec, "exact" | "chatFields">,
): Fields {
  const once = reportOnce(report);
  reportSettings(request, once);
  const more = [...(vendor?.exact ? namesakes : []), ...(vendor?.chatFields ?? [])];
  const { fields, kept } = ownFields(request.extra, once, more);
  return Object.assign(
    compact({
      model: request.model === "" ? undefined : request.model,
      instructions: instructionsOf(request.messages),
      input: encodeInput(request.messages, once, vendor?.exact === true),
      stream: request.stream ? true : undefined,
      max_output_tokens: roomFor(request, once),
      temperature: request.temperature,
      top_p: request.topP,
      top_logprobs: request.topLogprobs,
      include: includes(request, fields.include ?? kept.include),
      text: joined(request.responseFormat && { format: encodeTextFormat(request.responseFormat) }, fields, "text"),
      ...encodeToolUse(request, once, vendor?.exact === true),
      reasoning: joined(effortOf(request, once), fields, "reasoning"),
      thinking: thinkingOf(request, once),
      user: shortUser(request.user, once),
      service_tier: serviceTier(request, once),
    }),
    withoutInner(kept),
    withoutInner(fields),
  );
}

/** The API refuses fewer tokens than this; clients of others warm up with one. */
const fewestTokens = 16;

function roomFor({ maxTokens, extra }: ChatRequest, report: Report): number | undefined {
  if (maxTokens === undefined || maxTokens >= fewestTokens || isOwn(extra)) return maxTokens;
  report("max_tokens");
  return fewestTokens;
}

/** The gateway's own extension goes to those who are asked in it: what others mean by it the vendor need not know. */
function thinkingOf({ reasoning, extra }: ChatRequest, report: Report): Fields | undefined {
  const thinking = thinkingSwitchOf(reasoning);
  if (displayApart(reasoning) !== undefined && !isOwn(extra)) report("thinking.display");
  if (!thinking || isOwn(extra)) return thinking;
  report("thinking");
  return undefined;
}

/** Where another format says that there is to be no thinking, its effort is not asked for (section 7.5). */
function effortOf({ reasoning = {}, extra }: ChatRequest, report: Report): Fields | undefined {
  const { effort, mode } = reasoning;
  if (!effort) return undefined;
  if (isOwn(extra) || mode !== "disabled") return { effort };
  report("reasoning_effort");
  return undefined;
}

/** Reports settings this API has no field for. Values that ask for what happens anyway are not lost. */
function reportSettings(request: ChatRequest, report: Report): void {
  if (saidStops(request.stop)) report("stop");
  if (request.n && request.n !== 1) report("n");
  if (request.seed !== undefined) report("seed");
  if (request.topK) report("top_k");
  if (request.presencePenalty) report("presence_penalty");
  if (request.frequencyPenalty) report("frequency_penalty");
  if (request.logitBias && !isEmpty(request.logitBias)) report("logit_bias");
}

/**
 * The fields of this format. A request of another one takes along what both have, or the vendor alone (`more`), and was not asked to be
 * stored: the vendor would, when nothing is said.
 */
function ownFields(
  extra: Extra | undefined,
  report: Report,
  more: readonly string[],
): { fields: Readonly<Fields>; kept: Readonly<Fields> } {
  if (isOwn(extra)) return { fields: extra.fields, kept: extra.kept ?? {} };
  const fields: Fields = {};
  const kept = { store: false };
  if (!extra || isEmpty(extra.fields)) return { fields, kept };
  const unknown: [string, unknown][] = [];
  for (const [name, value] of Object.entries(extra.fields)) {
    const own = extra.format === "openai-chat" ? nameOf(name, more) : undefined;
    if (own === undefined) unknown.push([name, value]);
    else fields[own] = value;
  }
  reportForeign(formatName, { format: extra.format, fields: Object.fromEntries(unknown) }, "", report);
  return { fields, kept };
}

/** What a field of chat completions is called here; undefined where it has no place. */
function nameOf(name: string, more: readonly string[]): string | undefined {
  if (Object.hasOwn(shared, name)) return shared[name];
  return more.includes(name) ? name : undefined;
}

function includes({ logprobs, topLogprobs = 0 }: ChatRequest, others: unknown): readonly unknown[] | undefined {
  const rest = Array.isArray(others) ? others : [];
  const all = logprobs === true || topLogprobs > 0 ? [logprobsInclude, ...rest] : rest;
  return all.length > 0 ? all : undefined;
}

/** An object of the request together with those of its fields nobody reads. */
function joined(own: Fields | undefined, fields: Readonly<Fields>, name: string): Fields | undefined {
  if (isEmpty(fields)) return own;
  const inner = Object.entries(fields).filter(([key]) => key.startsWith(`${name}.`));
  if (inner.length === 0) return own;
  return Object.assign({}, own, Object.fromEntries(inner.map(([key, value]) => [key.slice(name.length + 1), value])));
}

const withoutInner = (fields: Readonly<Fields>): Readonly<Fields> =>
  isEmpty(fields)
    ? fields
    : Object.fromEntries(Object.entries(fields).filter(([name]) => !/^(?:text|reasoning)\.|^include$/.test(name)));

/** Where all tools were dropped, what is said about using them goes too: vendors reject it without tools. */
function encodeToolUse(request: ChatRequest, report: Report, exact: boolean): Fields {
  const { toolChoice, parallelToolCalls } = request;
  const tools = encodeTools(request.tools ?? [], report, exact);
  if (tools.length === 0 && request.tools && request.tools.length > 0) {
    if (toolChoice) report("tool_choice");
    if (parallelToolCalls !== undefined) report("parallel_tool_calls");
    return {};
  }
  return {
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: toolChoice && encodeToolChoice(toolChoice, request.tools),
    parallel_tool_calls: parallelToolCalls ?? (request.oneCall ? false : undefined),
  };
}

/** Anthropic's word for the tier everybody has is an error to others, who are asked it only where the client does so itself. */
function serviceTier({ serviceTier: tier, extra }: ChatRequest, report: Report): string | undefined {
  if (tier !== "standard_only" || isOwn(extra)) return tier;
  report("service_tier");
  return undefined;
}
