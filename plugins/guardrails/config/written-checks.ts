import { type ChecksService, fieldsIn, type Misspelt, recordsIn } from "../../../core/index.ts";
import { hookFieldNames } from "./hook-spec.ts";

type Path = Misspelt["path"];

/** A check as it stands in a config, with the place of its parameters in the entry of the list. */
interface Written {
  readonly path: Path;
  readonly id: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Those of a hook object. */
export const checksOfHook = (entry: Readonly<Record<string, unknown>>): Written[] =>
  recordsIn(entry.checks).map(({ id, parameters }, at) => ({
    path: ["checks", at, "parameters"],
    id: withFamily(String(id)),
    parameters: fieldsIn(parameters),
  }));

/** Those under every key that is no field of a hook (guardrails.md section 2.3). */
export const checksUnderNames = (entry: Readonly<Record<string, unknown>>): Written[] =>
  Object.entries(entry).flatMap(([key, value]) => {
    if (hookFieldNames.has(key)) return [];
    const { id, parameters } = checkUnder(key, value);
    return [{ path: [key], id, parameters }];
  });

/** A check under its name: its parameters stand beside its `id` and `is_enabled`. */
export function checkUnder(key: string, value: unknown) {
  const { id = key, is_enabled = true, ...parameters } = fieldsIn(value);
  return { id: withFamily(String(id)), parameters, enabled: is_enabled !== false };
}

export const withFamily = (id: string): string => (id.includes(".") ? id : `default.${id}`);

/** Parameters of the checks in a list that are probably meant for others. */
export const misspeltIn = (
  list: unknown,
  checksIn: (entry: Readonly<Record<string, unknown>>) => readonly Written[],
  checks: Pick<ChecksService, "named" | "misspelt">,
): Misspelt[] =>
  (Array.isArray(list) ? list : []).flatMap((entry: unknown, at) =>
    checksIn(fieldsIn(entry)).flatMap(({ path, id, parameters }) => {
      const check = checks.named(id);
      return check ? checks.misspelt(check, parameters).map((one) => told([at, ...path], one)) : [];
    }),
  );

const told = (around: Path, { path, message }: { path: readonly PropertyKey[]; message: string }): Misspelt => ({
  path: [...around, ...path.map((step) => (typeof step === "number" ? step : String(step)))],
  message,
});
