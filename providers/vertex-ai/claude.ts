import { claudeVersion, hostedBetas, makersBetas, refuseThread, wordFilter } from "../../core/provider-kit/index.ts";
import { modelOf } from "./models.ts";

type Wire = Readonly<Record<string, unknown>>;

const usualVersion = "vertex-2023-10-16";

/**
 * Betas of Claude's maker that this host refuses, each failing the whole request: "Unexpected value(s) … for the
 * `anthropic-beta` header" (providers.md section 6.9). The second row is of what it has without a word, or not at all (issues
 * 21767 and 34802 of anthropics/claude-code, 10981 of vercel/ai), the third of what only its maker's own hosts have.
 */
export const betas = wordFilter({
  deny: [
    /^(?:thinking-token-count|token-counting)-/,
    /^(?:effort|adaptive-thinking|structured-outputs|prompt-caching-scope)-/,
    makersBetas,
  ],
  rename: hostedBetas,
});

/**
 * Claudes before 4.6, to which this host lets nobody say `output_config` ("Extra inputs are not permitted"). Later ones are
 * told schemas and efforts (docs.cloud.google.com, "Structured outputs with Anthropic Claude models"; decision 0057).
 */
export const refusesOutputConfig = (model: string): boolean => {
  const { publisher, name } = modelOf(model);
  return publisher === "anthropic" && (claudeVersion(name) ?? Number.POSITIVE_INFINITY) < 406;
};

/** A body as this host takes it: the model stands in the path, and the version in the body. */
export const bodyFor =
  (version: string | undefined) =>
  (wire: Wire): Record<string, unknown> => {
    const { model: _, ...rest } = refuseThread(wire);
    const { system, messages, tools } = rest;
    return {
      ...rest,
      ...(Array.isArray(system) && { system: withoutScopes(system) }),
      ...(Array.isArray(messages) && { messages: withoutScopes(messages) }),
      ...(Array.isArray(tools) && { tools: withoutScopes(tools) }),
      anthropic_version: version ?? rest.anthropic_version ?? usualVersion,
    };
  };

/** Caches of this host have no scopes. Lists without one stay the lists they are. */
const withoutScopes = (list: readonly unknown[]): readonly unknown[] => list.map(withoutScope);

function withoutScope(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { cache_control: marker, content } = value as Wire;
  const scoped = typeof marker === "object" && marker !== null && "scope" in marker;
  const inner = Array.isArray(content) ? withoutScopes(content) : content;
  if (!scoped && !Array.isArray(content)) return value;
  return {
    ...value,
    ...(scoped && { cache_control: { ...marker, scope: undefined } }),
    ...(Array.isArray(content) && { content: inner }),
  };
}
