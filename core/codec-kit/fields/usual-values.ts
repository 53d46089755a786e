import { isRecord, lookUp } from "../records.ts";

/** Clients send empty fields they were given in an answer (`annotations: []`): leaving them out loses nothing. */
export const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** The values of a field, as JSON, that ask for what everybody does anyway; by its name, dotted where it stands inside another. */
type UsualValues = Readonly<Record<string, readonly string[]>>;

/** What the references of the formats give as defaults, or as another way to say nothing: nothing is lost with them elsewhere. */
const usualValues: Readonly<Record<string, UsualValues>> = {
  "openai-chat": {
    metadata: ["{}"],
    modalities: ['["text"]'],
    store: ["false"],
    verbosity: ['"medium"'],
  },
  "openai-responses": {
    metadata: ["{}"],
    "text.verbosity": ['"medium"'],
    defer_loading: ["false"],
  },
  "anthropic-messages": {
    "caller.type": ['"direct"'],
    "citations.enabled": ["false"],
    context_management: ['{"edits":[]}'],
    defer_loading: ["false"],
    eager_input_streaming: ["false"],
    speed: ['"standard"'],
    strict: ["false"],
  },
  gemini: {
    behavior: ['"BLOCKING"'],
    cachedContent: ['""'],
    "generationConfig.audioTimestamp": ["false"],
    "generationConfig.enableEnhancedCivicAnswers": ["false"],
    "generationConfig.mediaResolution": ['"MEDIA_RESOLUTION_UNSPECIFIED"'],
    "generationConfig.responseModalities": ['["TEXT"]'],
    "generationConfig.thinkingConfig.includeThoughts": ["false"],
    labels: ["{}"],
    store: ["false"],
    thought: ["false"],
  },
  "bedrock-converse": {
    "document.citations.enabled": ["false"],
    "performanceConfig.latency": ['"standard"'],
    promptVariables: ["{}"],
    requestMetadata: ["{}"],
  },
  "cohere-chat": {
    citation_options: ["{}"],
    priority: ["0"],
    raw_prompting: ["false"],
    safety_mode: ['"CONTEXTUAL"'],
    strict_tools: ["false"],
  },
};

/** Whether a field of a format says nothing, or what everybody does anyway. */
export function isUsual(format: string, name: string, value: unknown): boolean {
  const known = lookUp(usualValues, format) ?? {};
  return saysNothing(value) || isUsualAt(known, name, value);
}

function isUsualAt(known: UsualValues, path: string, value: unknown): boolean {
  if (lookUp(known, path)?.includes(JSON.stringify(value))) return true;
  const inside = isRecord(value) ? Object.entries(value) : [];
  return (
    inside.length > 0 && inside.every(([name, one]) => saysNothing(one) || isUsualAt(known, `${path}.${name}`, one))
  );
}

/** The words clients have for the tier that everybody has. */
export const usualTiers: ReadonlySet<string> = new Set(["auto", "default", "standard", "standard_only"]);
