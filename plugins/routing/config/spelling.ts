import type { Path } from "./problems.ts";

/** Fields of the config object whose content is the user's own (routing-config.md section 1.4). */
export const opaqueFields: readonly string[] = [
  "override_params",
  "default_params",
  "drop_params",
  "params",
  "checks",
  "conditions",
  "input_guardrails",
  "output_guardrails",
  "input_mutators",
  "output_mutators",
  "vertex_service_account_json",
  "cb_config",
  "metadata",
];

/** `strictOpenAiCompliance` → `strict_open_ai_compliance`; what is not camelCase stays. */
export const snakeCase = (name: string): string =>
  /^[a-zA-Z][a-zA-Z0-9_]*$/.test(name)
    ? name
        .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
        .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
        .toLowerCase()
    : name;

/** A copy with its keys in snake_case at every level, except inside opaque fields. */
export function inSnakeCase(value: unknown, opaque: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => inSnakeCase(one, opaque));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const name = snakeCase(key);
    // Written in both spellings, the one that needs no translation counts.
    if (name !== key && Object.hasOwn(value, name)) return [];
    return [[name, opaque.has(name) ? inner : inSnakeCase(inner, opaque)]];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** Whether a value is a JSON object. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** A path into a config in snake_case, as the config spells its keys. */
export function asWritten(config: unknown, path: Path): Path {
  let around = config;
  return path.map((step) => {
    const map: Readonly<Record<string | number, unknown>> =
      typeof around === "object" && around !== null ? { ...around } : {};
    const own = Object.hasOwn(map, step) ? step : (Object.keys(map).find((key) => snakeCase(key) === step) ?? step);
    around = map[own];
    return own;
  });
}
