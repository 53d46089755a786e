import { GatewayError } from "../../../core/index.ts";
import { type ParseOptions, parse, type Template } from "./parse.ts";
import type { Links, Rendering } from "./render.ts";
import { deepestJson } from "./values.ts";

/** JSON whose texts are templates (prompts.md section 3.2): what is no text, and names of members, stay as they are. */
export type JsonTemplate =
  | { readonly kind: "constant"; readonly value: unknown }
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "list"; readonly items: readonly JsonTemplate[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, JsonTemplate])[] };

/** Reads the templates in a value. Parts without a tag in them are kept as they are. */
export function parseJson(value: unknown, options: ParseOptions, depth = 0): JsonTemplate {
  if (depth > deepestJson)
    throw new GatewayError("record_invalid", `${options.place}: nested more than ${deepestJson} deep.`, {
      param: options.place,
    });
  if (typeof value === "string")
    return value.includes("{{") ? { kind: "text", template: parse(value, options) } : { kind: "constant", value };
  if (typeof value !== "object" || value === null) return { kind: "constant", value };
  if (Array.isArray(value)) {
    const items = value.map((item) => parseJson(item, options, depth + 1));
    return items.every(isConstant) ? { kind: "constant", value } : { kind: "list", items };
  }
  const members = Object.entries(value).map(([name, member]) => [name, parseJson(member, options, depth + 1)] as const);
  return members.every(([, member]) => isConstant(member)) ? { kind: "constant", value } : { kind: "object", members };
}

const isConstant = ({ kind }: JsonTemplate): boolean => kind === "constant";

export function renderJson(template: JsonTemplate, links: Links, rendering: Rendering): unknown {
  switch (template.kind) {
    case "constant":
      return template.value;
    case "text":
      return rendering.text({ template: template.template, links });
    case "list":
      return template.items.map((item) => renderJson(item, links, rendering));
    case "object":
      return Object.fromEntries(template.members.map(([name, member]) => [name, renderJson(member, links, rendering)]));
  }
}

/** All templates in a value. */
export function* templatesIn(template: JsonTemplate): Generator<Template> {
  if (template.kind === "text") yield template.template;
  else if (template.kind === "list") for (const item of template.items) yield* templatesIn(item);
  else if (template.kind === "object") for (const [, member] of template.members) yield* templatesIn(member);
}
