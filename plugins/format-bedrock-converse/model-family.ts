const regions = /^(?:us-gov|us|eu|apac|au|ca|jp|global)\./;

/**
 * Who made a model (`anthropic`, `amazon`, `meta`), read from its id, with or without a region in front, or from the end
 * of its ARN; empty where the name does not say, as those of application profiles do not (providers.md section 9.1).
 */
export function familyOf(model: string): string {
  if (model !== known.model) known = { model, family: readFamily(model) };
  return known.family;
}

/** A request asks several times. */
let known = { model: "", family: "" };

function readFamily(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.includes("claude")) return "anthropic";
  const plain = name.replace(regions, "");
  const dot = plain.indexOf(".");
  return dot < 0 ? "" : plain.slice(0, dot);
}

/** Whether a model takes cache points, which all others refuse; those nobody knows are given the benefit of the doubt. */
export function cachesPrompts(model: string): boolean {
  const family = familyOf(model);
  return family === "" || family === "anthropic" || isNova(model);
}

export const isNova = (model: string): boolean => /amazon\.nova/i.test(model);
