import {
  type ChatRequest,
  compact,
  type Fields,
  isEmpty,
  isRecord,
  leftovers,
  type SystemMessage,
  type Tool,
} from "../../../core/index.ts";
import { extraOf, isUnspecified, listAt, objectAt, objectIn, textAt } from "../fields.ts";
import { decodeContents, decodeText } from "./decode-contents.ts";
import { decodeOutput, outputFields, writtenOutput } from "./output-format.ts";
import { decodeThinking, thinkingFields } from "./reasoning.ts";
import { decodeSettings, settingFields } from "./settings.ts";
import { decodeToolChoice, decodeTools, saysAll } from "./tools.ts";

const requestFields = new Set([
  "model",
  "stream",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "serviceTier",
]);
const configFields = new Set([...settingFields, ...outputFields, "thinkingConfig"]);

/** `model` and `stream` stand in the URL of a request; here they are fields like others. */
export function decodeRequest(body: unknown): ChatRequest {
  const wire = objectAt(body, "");
  const config = objectIn(wire.generationConfig, "generationConfig");
  const thinking = objectIn(config.thinkingConfig, "generationConfig.thinkingConfig");
  const output = decodeOutput(config);
  const reasoning = decodeThinking(thinking);
  const tools = wire.tools === undefined || wire.tools === null ? undefined : decodeTools(wire.tools);
  const { toolChoice, toolRest, calling } = decodeToolConfig(wire.toolConfig, tools);
  const stream = wire.stream === true;
  const { system, systemNote } = decodeSystem(wire.systemInstruction);
  const tier = textAt(wire.serviceTier, "serviceTier") ?? "";
  const isTierSaid = tier !== "" && !isUnspecified(tier);
  const written: Fields = Object.assign({}, systemNote);
  if (output) written.output = writtenOutput(config);
  if (reasoning) written.thinking = thinking;
  if (calling) written.calling = calling;
  if (isTierSaid) written.tier = true;
  const rest: Fields = leftovers(wire, requestFields) ?? {};
  if (tier !== "" && !isTierSaid) rest.serviceTier = tier;
  if (toolRest) rest.toolConfig = toolRest;
  const configLeft = configRest(config, thinking, output !== undefined, reasoning !== undefined);
  if (!isEmpty(configLeft)) rest.generationConfig = configLeft;
  return {
    model: textAt(wire.model, "model") ?? "",
    messages: [...system, ...decodeContents(wire.contents)],
    stream,
    ...(stream && { includeUsage: true }),
    ...decodeSettings(config),
    ...compact({
      responseFormat: output,
      reasoning,
      tools,
      toolChoice,
      serviceTier: isTierSaid ? tierNamed(tier.toLowerCase()) : undefined,
    }),
    ...extraOf(rest, isEmpty(written) ? undefined : written),
  };
}

/** The tier that everybody has, by the name that most have for it. */
const tierNamed = (tier: string): string => (tier === "standard" ? "default" : tier);

/** What of `generationConfig` has no canonical name. */
function configRest(
  config: Readonly<Fields>,
  thinking: Readonly<Fields>,
  readsOutput: boolean,
  readsThinking: boolean,
): Fields {
  const rest: Fields = leftovers(config, configFields) ?? {};
  if (!readsOutput) Object.assign(rest, writtenOutput(config));
  const left = readsThinking ? leftovers(thinking, thinkingFields) : thinking;
  if (left && !isEmpty(left)) rest.thinkingConfig = left;
  return rest;
}

/** Instructions are a content, a part of one, or a bare text. */
function decodeSystem(value: unknown): { system: SystemMessage[]; systemNote?: Fields } {
  if (value === undefined || value === null) return { system: [] };
  if (typeof value === "string") return { system: [{ role: "system", content: [{ type: "text", text: value }] }] };
  const wire = objectAt(value, "systemInstruction");
  const parts = wire.parts === undefined ? [wire] : listAt(wire.parts, "systemInstruction.parts");
  const content = parts.map((part, at) => {
    const path = `systemInstruction.parts[${at}]`;
    return decodeText(objectAt(part, path), path);
  });
  const role = textAt(wire.role, "systemInstruction.role");
  return { system: content.length > 0 ? [{ role: "system", content }] : [], systemNote: { system: role ?? null } };
}

interface ToolConfig extends Pick<ChatRequest, "toolChoice"> {
  readonly toolRest?: Readonly<Fields>;
  /** How a choice among several functions was written. */
  readonly calling?: Readonly<Fields>;
}

function decodeToolConfig(value: unknown, tools: readonly Tool[] = []): ToolConfig {
  if (value === undefined || value === null) return {};
  const wire = objectAt(value, "toolConfig");
  const calling = objectIn(wire.functionCallingConfig, "toolConfig.functionCallingConfig");
  const choice = decodeToolChoice(calling);
  const isAmong = choice?.type === "among";
  // Names are of functions: where none has to be called, the vendor's own tools are allowed besides.
  const isRead = !(isAmong && !choice.required && tools.some(({ type }) => type === "native"));
  const { functionCallingConfig: _, ...others } = wire;
  const rest: Fields = { ...others };
  if (isRecord(wire.functionCallingConfig) && !(isRead && saysAll(calling))) rest.functionCallingConfig = calling;
  return compact({
    toolChoice: isRead ? choice : undefined,
    toolRest: Object.keys(rest).length > 0 ? rest : undefined,
    calling: isRead && isAmong ? calling : undefined,
  });
}
