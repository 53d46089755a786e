const regions = /^(?:us-gov|us|eu|apac|au|ca|jp|global)\./;

/**
 * Who made a model (`anthropic`, `amazon`, `meta`), read from its id, with or without a region in front, or from the end
 * of its ARN; empty where the name does not say, as those of application profiles do not (providers.md section 9.1).
 */
export function familyOf(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.includes("claude")) return "anthropic";
  const plain = name.replace(regions, "");
  const dot = plain.indexOf(".");
  return dot < 0 ? "" : plain.slice(0, dot);
}

export const isNova = (model: string): boolean => /amazon\.nova/i.test(model);

const familyFirst = /claude-[a-z]+-(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;
const versionFirst = /claude-(?:v|instant-)?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?/;

/** What a Claude can do about thinking: nothing, within a token budget, or as it sees fit. */
export function claudeThinking(model: string): "none" | "budget" | "adaptive" {
  const name = model.toLowerCase();
  const match = versionFirst.exec(name) ?? familyFirst.exec(name);
  // One without a readable version is taken for a new one.
  if (!match) return name.includes("claude-instant") ? "none" : "adaptive";
  const version = Number(match[1]) * 100 + Number(match[2] ?? 0);
  return version >= 406 ? "adaptive" : version >= 307 ? "budget" : "none";
}
