import { type Extra, type Fields, isRecord } from "../../../core/index.ts";
import { isOwn } from "../fields.ts";

/** Fields of chat requests that are there for this API, in both spellings (providers.md section 9.3). */
const names = {
  guardrailConfig: ["guardrailConfig", "guardrail_config"],
  performanceConfig: ["performanceConfig", "performance_config"],
  additionalModelResponseFieldPaths: ["additionalModelResponseFieldPaths", "additional_model_response_field_paths"],
  requestMetadata: ["requestMetadata", "request_metadata", "metadata"],
} as const;
const forModel = ["additionalModelRequestFields", "additional_model_request_fields"] as const;
/** What models of one maker take by the maker's own names, and those of no other (providers.md section 9.3). */
const ofMakers: ReadonlyMap<string, readonly string[]> = new Map([
  ["anthropic", ["anthropic_version", "anthropic_beta"]],
  ["ai21", ["frequencyPenalty", "presencePenalty", "countPenalty"]],
]);

const byName = Object.entries(names);

const common = [...Object.values(names).flat(), ...forModel];
const known: ReadonlySet<string> = new Set(common);
const knownBy = new Map(Array.from(ofMakers, ([maker, own]) => [maker, new Set([...common, ...own])]));

/** Those that have a place in what a model of a maker is asked. */
export const chatFields = (maker: string): ReadonlySet<string> => knownBy.get(maker) ?? known;

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

/** Fields for the model itself: what the client wrote for it, and what its maker has names of its own for. */
export function chatSettings(extra: Extra | undefined, maker: string): Fields {
  if (!extra || isOwn(extra)) return {};
  const own: Fields = {};
  for (const name of ofMakers.get(maker) ?? []) {
    const value = extra.fields[name] ?? undefined;
    if (value !== undefined) own[name] = name === "anthropic_beta" ? listOf(value) : value;
  }
  const asked = first(extra.fields, forModel);
  return { ...own, ...(isRecord(asked) && asked) };
}

/** A comma list is a list. */
const listOf = (value: unknown): unknown =>
  typeof value === "string"
    ? value
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    : value;
