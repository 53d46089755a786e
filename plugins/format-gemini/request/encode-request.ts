import { isDeepStrictEqual } from "node:util";
import {
  type ChatRequest,
  compact,
  type Extra,
  type Fields,
  isRecord,
  lookUp,
  reportOnce,
  summaryField,
  usualTiers,
  withUserTurn,
} from "../../../core/index.ts";
import { formatName, type Report, reportOthers, restore, writtenIn } from "../fields.ts";
import { chatFields, chatSettings, wantsOtherSound } from "./chat-fields.ts";
import { encodeContents } from "./encode-contents.ts";
import { opened } from "./opening.ts";
import { encodeOutput } from "./output-format.ts";
import { decodeThinking, encodeThinking } from "./reasoning.ts";
import { encodeSettings } from "./settings.ts";
import { encodeToolChoice, encodeTools, withDeclared } from "./tools.ts";

/** What `encodeRequest` may report. Fields and types of other formats are reported under their own names besides. */
export const drops: readonly string[] = [
  "audio.format",
  "logit_bias",
  "seed",
  "stop",
  "user",
  "service_tier",
  "reasoning_effort",
  "thinking",
  "thinking.display",
  "response_format",
  "response_format.description",
  "response_format.json_schema",
  "tool_choice",
  "parallel_tool_calls",
  "tools.parameters",
  "tools.native",
  "tools.cache_control",
  "messages.name",
  "messages.cache_control",
  "messages.prompt_cache_breakpoint",
  "messages.citations",
  "messages.thinking",
  "messages.document.name",
  "messages.image_url.detail",
  "messages.opaque",
];

/** Fields of other formats that have a place here. */
const carried: ReadonlySet<string> = new Set([...chatFields, summaryField]);

export function encodeRequest(canonical: ChatRequest, report: Report): Fields {
  const once = reportOnce(report);
  const request = withDeclared(canonical, once);
  const { model, extra } = request;
  if (request.logitBias && Object.keys(request.logitBias).length > 0) once("logit_bias");
  if (request.user !== undefined) once("user");
  if (wantsOtherSound(extra)) once("audio.format");
  reportOthers(extra, "", once, carried);
  const written = writtenIn(extra);
  const own = extra?.format === formatName;
  // Instructions alone are refused.
  const said = encodeContents(own ? request.messages : withUserTurn(request.messages, formatName), model, once);
  const { instructions } = said;
  const contents = own ? said.contents : opened(said.contents);
  const { tools, config, ...declared } = encodeTools(request.tools ?? [], once);
  const hasFunctions = declared.functions.length > 0;
  const calling = encodeToolChoice(request, declared, once);
  const toolConfig = { ...(calling && { functionCallingConfig: calling }), ...config };
  const generationConfig = compact(
    Object.assign(
      encodeSettings(request, once),
      encodeOutput(request.responseFormat, written.output, { model, hasFunctions }, once),
      { thinkingConfig: thinkingOf(request, written.thinking, once) },
      chatSettings(extra),
    ),
  );
  return restore(
    compact({
      model: model === "" ? undefined : model,
      stream: request.stream ? true : undefined,
      contents,
      systemInstruction:
        instructions.length > 0 ? Object.assign(systemRole(written), { parts: instructions }) : undefined,
      tools: tools.length > 0 ? tools : undefined,
      toolConfig: filled(toolConfig),
      generationConfig: filled(generationConfig),
      serviceTier: encodeTier(request.serviceTier, own, once),
      ...topFields(extra),
    }),
    extra,
  );
}

const filled = (fields: Fields): Fields | undefined => (Object.keys(fields).length > 0 ? fields : undefined);

function thinkingOf({ reasoning, model }: ChatRequest, written: unknown, report: Report): Fields | undefined {
  if (isRecord(written) && isDeepStrictEqual(decodeThinking(written), reasoning)) return { ...written };
  return encodeThinking(reasoning, model, report);
}

/** The role says nothing: a client that wrote another one, or none, gets its own back. */
function systemRole({ system }: Readonly<Fields>): Fields {
  if (system === null) return {};
  return { role: typeof system === "string" ? system : "system" };
}

/** Fields the chat API has for this one only. */
function topFields(extra: Extra | undefined): Fields {
  if (!extra || extra.format === formatName) return {};
  const { safety_settings: safetySettings, cached_content: cachedContent, labels } = extra.fields;
  return { safetySettings, cachedContent, labels };
}

/** What clients call the tiers there are here. OpenAI serves `fast` as `priority`, and says so (openai 7.59, `service_tier`). */
const tiers: Readonly<Record<string, string>> = {
  flex: "flex",
  priority: "priority",
  fast: "priority",
  standard: "standard",
  default: "standard",
  standard_only: "standard",
};

function encodeTier(tier: string | undefined, own: boolean, report: Report): string | undefined {
  if (tier === undefined) return undefined;
  const known = lookUp(tiers, tier);
  if (own) return known ?? tier;
  if (known === undefined && !usualTiers.has(tier)) report("service_tier");
  return known;
}
