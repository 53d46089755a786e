import {
  answerSchema,
  type ChatRequest,
  type Fields,
  isRecord,
  lookUp,
  type ResponseFormat,
  readJson,
  refuse,
  usualTiers,
  writeJson,
} from "../../../core/index.ts";
import type { Report } from "../fields.ts";

const numbers = { maxTokens: "maxTokens", temperature: "temperature", topP: "topP" } as const;
export const settingFields: ReadonlySet<string> = new Set([...Object.keys(numbers), "stopSequences"]);

/** `inferenceConfig`. */
export function decodeSettings(config: Readonly<Fields>): Partial<ChatRequest> {
  const decoded: Fields = {};
  for (const name of Object.values(numbers)) {
    const value = config[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number") refuse(`inferenceConfig.${name}`, "a number", value);
    decoded[name] = value;
  }
  const { stopSequences: stop } = config;
  if (stop !== undefined && stop !== null) {
    if (!Array.isArray(stop) || stop.some((one) => typeof one !== "string"))
      refuse("inferenceConfig.stopSequences", "a list of strings", stop);
    decoded.stop = stop;
  }
  return decoded as Partial<ChatRequest>;
}

const outputFields = new Set(["type", "structure"]);

const outputNames = new Set(["textFormat", "effort"]);

/** `outputConfig` where it asks for a JSON schema and says nothing else besides an effort. */
export function decodeOutput(config: unknown): ResponseFormat | undefined {
  if (!isRecord(config) || Object.keys(config).some((name) => !outputNames.has(name))) return undefined;
  const { textFormat: format } = config;
  if (!isRecord(format) || format.type !== "json_schema" || Object.keys(format).some((name) => !outputFields.has(name)))
    return undefined;
  const asked = isRecord(format.structure) ? format.structure.jsonSchema : undefined;
  const schema = isRecord(asked) ? parsed(asked.schema) : undefined;
  if (!isRecord(asked) || !schema) return undefined;
  const { name, description } = asked;
  return {
    type: "json-schema",
    ...(typeof name === "string" && { name }),
    ...(typeof description === "string" && { description }),
    schema,
  };
}

/** The effort that an `outputConfig` names, all of which is read. */
export function effortIn(config: unknown): string | undefined {
  if (!isRecord(config) || typeof config.effort !== "string") return undefined;
  const { effort, textFormat, ...others } = config;
  return (textFormat === undefined && Object.keys(others).length === 0) || decodeOutput(config) ? effort : undefined;
}

function parsed(schema: unknown): Fields | undefined {
  try {
    const value = typeof schema === "string" ? readJson(schema) : undefined;
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Makers whose models have no field of their own for plain JSON. */
const withoutJson: ReadonlySet<string> = new Set(["anthropic", "amazon", "meta", "cohere", "ai21"]);

export interface EncodedOutput {
  readonly outputConfig?: Fields;
  /** For `additionalModelRequestFields`. */
  readonly fields?: Fields;
}

export function encodeOutput(format: ResponseFormat | undefined, family: string, report: Report): EncodedOutput {
  switch (format?.type) {
    case "json-schema": {
      const { name = "answer", description } = format;
      const schema = answerSchema(format.schema, report);
      if (!schema) return {};
      const jsonSchema = {
        schema: writeJson(schema),
        name,
        ...(description !== undefined && { description }),
      };
      return { outputConfig: { textFormat: { type: "json_schema", structure: { jsonSchema } } } };
    }
    case "json":
      if (!withoutJson.has(family)) return { fields: { response_format: { type: "json_object" } } };
      report("response_format");
      return {};
    default:
      return {};
  }
}

const tiers: Readonly<Record<string, string>> = {
  default: "default",
  standard_only: "default",
  standard: "default",
  priority: "priority",
  fast: "priority",
  flex: "flex",
  reserved: "reserved",
};

export function encodeTier(tier: string | undefined, own: boolean, report: Report): Fields | undefined {
  if (tier === undefined) return undefined;
  const type = own ? tier : lookUp(tiers, tier);
  if (type === undefined && !usualTiers.has(tier)) report("service_tier");
  return type === undefined ? undefined : { type };
}
