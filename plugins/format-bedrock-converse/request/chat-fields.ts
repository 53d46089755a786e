import { compact, type Extra, type Fields, isRecord } from "../../../core/index.ts";
import { isOwn, type Report } from "../fields.ts";

/** Fields of chat requests that are there for this API, in both spellings (providers.md section 9.3). */
const names = {
  guardrailConfig: ["guardrailConfig", "guardrail_config"],
  performanceConfig: ["performanceConfig", "performance_config"],
  additionalModelResponseFieldPaths: ["additionalModelResponseFieldPaths", "additional_model_response_field_paths"],
  requestMetadata: ["requestMetadata", "request_metadata", "metadata"],
} as const;
const forModel = ["additionalModelRequestFields", "additional_model_request_fields"] as const;
/** What a Claude takes in its own form. */
const forClaude = ["anthropic_version", "anthropic_beta"] as const;

const byName = Object.entries(names);

export const chatFields: ReadonlySet<string> = new Set([...Object.values(names).flat(), ...forModel, ...forClaude]);

function first(fields: Readonly<Fields>, spellings: readonly string[]): unknown {
  for (const name of spellings) if (fields[name] !== undefined && fields[name] !== null) return fields[name];
  return undefined;
}

export function chatTopFields(extra: Extra | undefined): Fields {
  if (!extra || isOwn(extra)) return {};
  const all: Fields = {};
  for (const [name, spellings] of byName) {
    const value = first(extra.fields, spellings);
    if (value !== undefined) all[name] = value;
  }
  const { requestMetadata: about } = all;
  if (isRecord(about) && Object.keys(about).length === 0) delete all.requestMetadata;
  return all;
}

/** Fields for the model itself: what the client wrote for it, and what a Claude is told besides. */
export function chatSettings(extra: Extra | undefined, family: string, report: Report): Fields {
  if (!extra || isOwn(extra)) return {};
  const { anthropic_version: version, anthropic_beta: beta } = extra.fields;
  const asked = first(extra.fields, forModel);
  const fields = isRecord(asked) ? asked : {};
  if (family !== "anthropic") {
    for (const name of forClaude) if (extra.fields[name] !== undefined) report(name);
    return fields;
  }
  return { ...compact({ anthropic_version: version, anthropic_beta: listOf(beta) }), ...fields };
}

/** A comma list is a list. */
const listOf = (value: unknown): unknown =>
  typeof value === "string"
    ? value
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    : value;
