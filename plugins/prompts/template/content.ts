import { GatewayError } from "../../../core/index.ts";
import { type JsonTemplate, parseJson, renderJson, templatesIn } from "./json-template.ts";
import { parse, type Template } from "./parse.ts";
import { parseRendered } from "./raw-json.ts";
import { because } from "./refusals.ts";
import type { Links, Rendering } from "./render.ts";
import { JsonSink } from "./sinks.ts";
import { type Data, isObject } from "./values.ts";

/** What is a template in a version of a prompt (prompts.md section 1.1). */
export interface Content {
  readonly string: string;
  readonly is_raw_template: boolean;
  readonly template_metadata: Data;
  readonly parameters: Data;
  readonly tools: readonly Data[] | null;
  readonly functions: readonly Data[] | null;
  readonly tool_choice: Data | string | null;
}

/** The same, read. */
export interface CompiledContent {
  readonly type: "chat" | "completion";
  readonly body: Body;
  /** Members of the request beside the body: `tools`, `functions`, `tool_choice`. */
  readonly members: ReadonlyMap<string, JsonTemplate>;
  /** `parameters.response_format`, where there is one. */
  readonly responseFormat?: JsonTemplate;
  /** What all of it refers to. */
  readonly partials: ReadonlySet<string>;
  readonly supplied: ReadonlySet<string>;
}

type Body =
  | { readonly kind: "messages"; readonly json: JsonTemplate }
  /** One message of the user, or the text of a completion. */
  | { readonly kind: "text"; readonly template: Template }
  | { readonly kind: "raw"; readonly template: Template };

/** Reads a version of a prompt. Throws `record_invalid` where its template is none. */
export function compile(content: Content): CompiledContent {
  const type = content.template_metadata.template_type === "completion" ? "completion" : "chat";
  const body = bodyOf(content, type);
  const given = Object.entries({
    tools: content.tools,
    functions: content.functions,
    tool_choice: content.tool_choice,
  }).filter(([, value]) => value !== null);
  const members = new Map(given.map(([place, value]) => [place, parseJson(value, { place, lenient: true })]));
  const format = content.parameters.response_format;
  const responseFormat =
    format === undefined ? undefined : parseJson(format, { place: "parameters.response_format", lenient: true });
  const beside = [...members.values(), ...(responseFormat ? [responseFormat] : [])];
  const inBody = body.kind === "messages" ? [...templatesIn(body.json)] : [body.template];
  const templates = [...inBody, ...beside.flatMap((json) => [...templatesIn(json)])];
  return {
    type,
    body,
    members,
    ...(responseFormat && { responseFormat }),
    partials: new Set(templates.flatMap(({ partials }) => [...partials])),
    supplied: new Set(templates.flatMap(({ supplied }) => [...supplied])),
  };
}

const place = "string";

function bodyOf({ string, is_raw_template }: Content, type: CompiledContent["type"]): Body {
  if (type === "completion") return { kind: "text", template: parse(string, { place }) };
  if (is_raw_template) return { kind: "raw", template: parse(string, { place }) };
  if (!/^\s*[[{]/.test(string)) return { kind: "text", template: parse(string, { place }) };
  return { kind: "messages", json: parseJson(jsonOf(string), { place }) };
}

function jsonOf(string: string): unknown {
  try {
    return JSON.parse(string);
  } catch {
    throw new GatewayError(
      "record_invalid",
      `${place}: begins as JSON and is none. A template whose tags add or remove parts of JSON needs is_raw_template: 1; ` +
        'a text that begins with a tag is written as a message: [{"role":"user","content":"…"}].',
      { param: place },
    );
  }
}

/** The member of a request that a body becomes. Throws `prompt_render_invalid_messages` where it is no list of messages. */
export function renderBody({ type, body }: CompiledContent, links: Links, rendering: Rendering): Data {
  switch (body.kind) {
    case "text": {
      const text = rendering.text({ template: body.template, links });
      return type === "completion" ? { prompt: text } : { messages: [{ role: "user", content: text }] };
    }
    case "messages":
      return { messages: messagesIn(renderJson(body.json, links, rendering)) };
    case "raw": {
      const { template } = body;
      return {
        messages: messagesIn(parseRendered(rendering.into(new JsonSink(rendering.bounds), { template, links }))),
      };
    }
  }
}

function messagesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage)) return value;
  const what = Array.isArray(value) && value.length === 0 ? "an empty list" : "something else";
  throw because(
    "prompt_render_invalid_messages",
    `The rendered template must be a list of messages, each with a role; it is ${what}.`,
    "messages",
  );
}

const isMessage = (value: unknown): boolean => isObject(value) && typeof value.role === "string";
