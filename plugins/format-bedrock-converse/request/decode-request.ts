import {
  type ChatRequest,
  compact,
  type Fields,
  isRecord,
  leftovers,
  objectAt,
  type WireExtra,
} from "../../../core/index.ts";
import { filled, formatName, objectIn } from "../fields.ts";
import { decodeMessages, decodeSystem } from "./decode-messages.ts";
import { decodeReasoning, writtenReasoning } from "./reasoning.ts";
import { decodeOutput, decodeSettings, effortIn, settingFields } from "./settings.ts";
import { decodeToolChoice, decodeTools } from "./tools.ts";

const requestFields = new Set([
  "model",
  "stream",
  "messages",
  "system",
  "inferenceConfig",
  "toolConfig",
  "additionalModelRequestFields",
  "serviceTier",
  "outputConfig",
]);
const toolConfigFields = new Set(["tools", "toolChoice"]);
const tierFields = new Set(["type"]);

/** `model` and `stream` stand in the URL of a request; here they are fields like others. */
export function decodeRequest(body: unknown): ChatRequest {
  const wire = objectAt(body, "");
  const inference = objectIn(wire.inferenceConfig, "inferenceConfig");
  const toolConfig = objectIn(wire.toolConfig, "toolConfig");
  const tier = objectIn(wire.serviceTier, "serviceTier");
  const own = readOwnFields(objectIn(wire.additionalModelRequestFields, "additionalModelRequestFields"));
  const output = decodeOutput(wire.outputConfig);
  const effort = effortIn(wire.outputConfig);
  const isRead = output !== undefined || effort !== undefined;
  const responseFormat = output ?? own.responseFormat;
  const toolChoice = decodeToolChoice(toolConfig.toolChoice);
  const rest = {
    ...leftovers(wire, requestFields),
    ...compact({
      inferenceConfig: leftovers(inference, settingFields),
      toolConfig: filled({
        ...leftovers(toolConfig, toolConfigFields),
        toolChoice: toolChoice ? undefined : toolConfig.toolChoice,
      }),
      serviceTier: leftovers(tier, tierFields),
      additionalModelRequestFields: own.rest,
      outputConfig: isRead ? undefined : wire.outputConfig,
    }),
  };
  const written = { ...own.written, ...(isRead && { output: wire.outputConfig }) };
  const stream = wire.stream === true;
  // The bag, empty or not, tells that a client of this format wrote the request: its words are not adapted.
  const extra: WireExtra = { format: formatName, fields: rest, written };
  return {
    model: typeof wire.model === "string" ? wire.model : "",
    messages: [...decodeSystem(wire.system), ...decodeMessages(wire.messages)],
    stream,
    ...(stream && { includeUsage: true }),
    ...decodeSettings(inference),
    ...compact({
      topK: own.topK,
      user: own.user,
      responseFormat,
      reasoning: effort === undefined ? own.reasoning : { effort, ...own.reasoning },
      tools: toolConfig.tools === undefined || toolConfig.tools === null ? undefined : decodeTools(toolConfig.tools),
      toolChoice,
      serviceTier: typeof tier.type === "string" ? tier.type : undefined,
    }),
    extra,
  };
}

/** Fields for the model that other formats know, too. */
function readOwnFields(fields: Readonly<Fields>) {
  const {
    thinking: _,
    output_config: __,
    reasoning_effort: ___,
    top_k: topK,
    metadata,
    response_format: shape,
    ...others
  } = fields;
  const reasoning = decodeReasoning(fields);
  const user = isRecord(metadata) && typeof metadata.user_id === "string" ? metadata.user_id : undefined;
  const known = typeof topK === "number" ? topK : undefined;
  const inner = isRecord(others.inferenceConfig) ? others.inferenceConfig.topK : undefined;
  const nova = known === undefined && typeof inner === "number" ? inner : undefined;
  const plainJson = isRecord(shape) && shape.type === "json_object" && Object.keys(shape).length === 1;
  const { user_id: ____, ...about } = isRecord(metadata) ? metadata : {};
  const rest = filled({
    ...others,
    ...(reasoning ? {} : writtenReasoning(fields)),
    ...(known === undefined && { top_k: topK }),
    ...(!plainJson && { response_format: shape }),
    ...(user === undefined ? { metadata } : { metadata: filled(about) }),
    ...(nova !== undefined && { inferenceConfig: filled({ ...(others.inferenceConfig as Fields), topK: undefined }) }),
  });
  const place = nova === undefined ? undefined : { topK: "inferenceConfig" };
  return {
    topK: known ?? nova,
    user,
    reasoning,
    responseFormat: plainJson ? ({ type: "json" } as const) : undefined,
    rest,
    written: { ...(reasoning && { reasoning: writtenReasoning(fields) }), ...place },
  };
}
