import type { z } from "zod";
import { suggestion } from "./nearest.ts";
import type { Plugin, PluginDefinition } from "./plugin.ts";

const known = ["name", "summary", "options", "needs", "uses", "provides", "brings", "setup"];

/** Declares a plugin: its options schema and what it does with the hooks. */
export const definePlugin = <Options extends z.ZodType>(definition: PluginDefinition<Options>): Plugin<Options> =>
  Object.freeze({ kind: "plugin", ...checkedDefinition(definition) });

/** A definition that nothing is missing of. JavaScript has no types to say so, and what is misspelt would never be asked for. */
function checkedDefinition<Definition extends Partial<PluginDefinition>>(definition: Definition): Definition {
  const wrong = problemOf(definition);
  if (wrong !== undefined) throw new Error(`definePlugin: ${wrong}`);
  return definition;
}

function problemOf(definition: Partial<PluginDefinition>): string | undefined {
  const { name, summary, options, setup } = definition;
  for (const key of Object.keys(definition))
    if (!known.includes(key)) return `unknown field "${key}"; ${suggestion(key, known, "fields")}`;
  if (!isText(name)) return "name is missing: what the plugin is called";
  if (!isText(summary)) return "summary is missing: one sentence on what the plugin does";
  if (typeof options?.safeParseAsync !== "function")
    return "options is missing: a z.strictObject, empty where there are none";
  if (typeof setup !== "function") return "setup is missing: the function that is given the hooks and the options";
  for (const field of ["needs", "uses", "provides"] as const) {
    const at = (definition[field] ?? []).findIndex((token) => !isText(token?.name));
    if (at >= 0) return `${field}[${at}] names no service: it is a token, made with serviceToken()`;
  }
  return undefined;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
