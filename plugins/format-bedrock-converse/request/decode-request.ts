import {
  type ChatRequest,
  compact,
  type Fields,
  isEmpty,
  isRecord,
  leftovers,
  objectAt,
  type Reasoning,
  type ResponseFormat,
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
  const rest: Fields = leftovers(wire, requestFields) ?? {};
  keep(rest, "inferenceConfig", leftovers(inference, settingFields));
  keep(rest, "toolConfig", toolRest(toolConfig, toolChoice !== undefined));
  keep(rest, "serviceTier", leftovers(tier, tierFields));
  keep(rest, "additionalModelRequestFields", own.rest);
  keep(rest, "outputConfig", isRead ? undefined : wire.outputConfig);
  const written = isRead ? Object.assign({}, own.written, { output: wire.outputConfig }) : own.written;
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

function keep(fields: Fields, name: string, value: unknown): void {
  if (value !== undefined && value !== null) fields[name] = value;
}

/** What of `toolConfig` has no canonical name. */
function toolRest(config: Readonly<Fields>, readsChoice: boolean): Fields | undefined {
  const rest = leftovers(config, toolConfigFields);
  if (readsChoice || config.toolChoice === undefined || config.toolChoice === null) return rest;
  return Object.assign({}, rest, { toolChoice: config.toolChoice });
}

interface OwnFields {
  readonly topK: number | undefined;
  readonly user: string | undefined;
  readonly reasoning: Reasoning | undefined;
  readonly responseFormat: ResponseFormat | undefined;
  readonly rest: Fields | undefined;
  readonly written: Fields;
}

/** Most requests have none. */
const noFields: OwnFields = {
  topK: undefined,
  user: undefined,
  reasoning: undefined,
  responseFormat: undefined,
  rest: undefined,
  written: {},
};

/** Fields for the model that other formats know, too. */
function readOwnFields(fields: Readonly<Fields>): OwnFields {
  if (isEmpty(fields)) return noFields;
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
