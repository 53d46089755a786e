import { wordFilter } from "../../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

const usualVersion = "vertex-2023-10-16";

/** Betas of Claude's maker that this host refuses (providers.md section 6.9). */
export const betas = wordFilter({
  deny: ["files-api-2025-04-14", "skills-2025-10-02", /^(?:thinking-token-count|token-counting)-/],
});

/** A body as this host takes it: the model stands in the path, and the version in the body. */
export const bodyFor =
  (version: string | undefined) =>
  (wire: Wire): Record<string, unknown> => {
    const { model: _, ...rest } = wire;
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
