import type { z } from "zod";
import { inputSchema } from "./json-schema.ts";
import type { Path } from "./mistakes.ts";
import { descriptionOf, isSecret, schemasAt } from "./schema-walk.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** One option of a plugin or provider, as plain data. */
export interface OptionDescription {
  /** Options inside others have dots: `limits.jsonBodyBytes`. */
  readonly name: string;
  /** In words: `whole number`, `"rpm" or "rph"`, `list of text`. */
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly meaning: string;
}

/** The options a schema describes, those of nested maps after the map they are in. */
export const describeOptions = (schema: z.ZodType): OptionDescription[] =>
  describeMap(inputSchema(schema), schema, [], true);

function describeMap(map: JsonSchema, schema: z.ZodType, path: Path, needed: boolean): OptionDescription[] {
  return Object.entries(map.properties ?? {}).flatMap(([key, option]) => {
    if (typeof option !== "object") return [];
    const here = [...path, key];
    const required = needed && (map.required ?? []).includes(key);
    const zods = schemasAt(schema, here);
    const described = {
      name: here.join("."),
      type: zods.some(isSecret) ? "secret" : typeOf(option),
      required,
      meaning: option.description ?? zods.map(descriptionOf).find((text) => text !== undefined) ?? "",
    };
    const inner = describeMap(option, schema, here, required);
    const isShell = inner.length > 0 && isEmptyMap(option.default);
    return [option.default === undefined || isShell ? described : { ...described, default: option.default }, ...inner];
  });
}

const isEmptyMap = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;

const types: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "map",
  null: "nothing",
};

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return either(schema.enum.map((value) => JSON.stringify(value)));
  const members = schema.anyOf ?? schema.oneOf;
  if (members) return either(members.map((member) => (typeof member === "object" ? typeOf(member) : "anything")));
  if (schema.type === "array") {
    return typeof schema.items === "object" && !Array.isArray(schema.items)
      ? `list of ${typeOf(schema.items)}`
      : "list";
  }
  if (schema.type === "object" && typeof schema.additionalProperties === "object" && !schema.properties) {
    return `map of ${typeOf(schema.additionalProperties)}`;
  }
  if (schema.type === "string" && schema.format === "uri") return "URL";
  return types[String(schema.type)] ?? "anything";
}

const either = (types: readonly string[]) => [...new Set(types)].join(" or ");

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The options as a markdown table, for a plugin's README. */
export function optionsTable(schema: z.ZodType): string {
  const options = describeOptions(schema);
  if (options.length === 0) return "It has no options.";
  const rows = options.map(
    (option) => `| \`${option.name}\` | ${cell(option.type)} | ${cell(defaultOf(option))} | ${cell(option.meaning)} |`,
  );
  return ["| option | type | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function defaultOf(option: OptionDescription): string {
  if (option.required) return "required";
  return option.default === undefined ? "" : `\`${JSON.stringify(option.default)}\``;
}
