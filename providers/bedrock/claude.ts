/** Claude is served in its own format, too, by an invocation of the model (providers.md section 9.1). */
export const isClaude = (model: string): boolean => /(?:^|[./])anthropic\.claude/i.test(model);

export const invokePath = ({ model, stream }: { readonly model: string; readonly stream: boolean }): string =>
  `/model/${encodeURIComponent(model)}/${stream ? "invoke-with-response-stream" : "invoke"}`;

/** Beta words this host refuses, and those it has another one for (providers.md section 6.9). */
const refused: ReadonlySet<string> = new Set([
  "files-api-2025-04-14",
  "skills-2025-10-02",
  "prompt-caching-scope-2026-01-05",
]);
const renamed: ReadonlyMap<string, string> = new Map([["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"]]);

type Fields = Record<string, unknown>;

/** The body of an invocation: model and stream stand in the path, betas in a list. */
export function invocation(wire: Readonly<Fields>): Fields {
  const { model: _, stream: __, anthropic_beta: beta, ...rest } = wire;
  const words = wordsOf(beta);
  const body = hasScope(wire) ? (withoutScope(rest) as Fields) : rest;
  return { ...body, ...(words.length > 0 && { anthropic_beta: words }) };
}

/** The body of a count (providers.md section 9.10): an invocation as it would be sent, in base64. */
export function counting(wire: Readonly<Fields>): Fields {
  const body = { max_tokens: 1, ...invocation(wire) };
  return { input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString("base64") } } };
}

function wordsOf(beta: unknown): string[] {
  const all: unknown[] = typeof beta === "string" ? beta.split(",") : Array.isArray(beta) ? beta : [];
  return all
    .map((word) => String(word).trim())
    .filter((word) => word !== "" && !refused.has(word))
    .map((word) => renamed.get(word) ?? word);
}

const hasScope = (wire: Readonly<Fields>): boolean => JSON.stringify(wire).includes('"scope"');

/** Cache markers have no scope here. */
function withoutScope(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutScope);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== "cache_control" || typeof inner !== "object" || inner === null) return [name, withoutScope(inner)];
      const { scope: _, ...marker } = inner as Fields;
      return [name, marker];
    }),
  );
}
