import { type Schema as JsonSchema, Validator } from "@cfworker/json-schema";
import { grantableScopes } from "../../../core/index.ts";
import type { Kind } from "./table.ts";

type Schema = { readonly [Keyword in string]?: unknown } & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

/** What is read of an operation of `/openapi.json`. */
interface Described {
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
  readonly responses: Readonly<Record<number, { readonly content: Readonly<Record<string, { schema: JsonSchema }>> }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** Members that name another record, which may not be there. */
const references = new Set(
  `workspace_id collection_id parent_collection_id integration_id user_id virtual_key label_id workspace_ids workspaces
  allowed_workspaces users input_guardrails output_guardrails config_id scim_group_id secret_reference_id version`.split(
    /\s+/,
  ),
);

/** Other clashes: nothing in a schema tells of them (control-plane.md, sections as named). */
const clashes = new Set([
  "POST /admin/workspaces", // 3.2: the name
  "PUT /admin/workspaces/{workspaceId}",
  "POST /admin/users/invites", // 4.3: the address
  "POST /api-keys/{id}/rotate", // 5.4: a transition that runs
  "POST /labels", // 11.2: the name
  "PUT /labels/{labelId}",
  "POST /plugins", // 24: the credentials of a partner
]);

/** Where a key of the organisation has to say which workspace is meant (control-plane.md section 2.3). */
const needWorkspace = new Set(
  ["/providers", "/collections", "/policies/usage-limits", "/policies/rate-limits"]
    .flatMap((path) => [`GET ${path}`, `POST ${path}`])
    .concat("POST /configs", "POST /guardrails", "POST /labels", "POST /prompts/partials", "POST /virtual-keys")
    .concat("POST /prompts/{promptId}/fork", "POST /prompts/partials/{promptPartialId}/fork"),
);

/** Which kinds of cases an operation has to have, as what the gateway says of itself has it. */
export function applicable(operation: string, document: Document): Set<Kind> {
  const described = describedOf(operation, document);
  const [method] = operation.split(" ");
  const { parameters } = described;
  const schemas = [
    bodyOf(described),
    ...parameters.filter((one) => one.in === "query").map(({ schema }) => schema),
  ].filter((schema) => schema !== undefined);
  const inside = schemas.flatMap(within);
  const members = new Set([
    ...namesIn(schemas),
    ...parameters.filter((one) => one.in === "query").map(({ name }) => name),
  ]);
  const inPath = parameters.some((one) => one.in === "path");
  const scopes = scopesOf(described);
  const refers = [...members].some((name) => references.has(name));
  const onlyFor = ["organisation-service", "workspace-service"].some((kind) =>
    scopes.every((scope) => !grantableScopes(kind as "organisation-service").has(scope)),
  );
  const applies: Readonly<Record<Kind, boolean>> = {
    success: true,
    "missing field":
      requiredIn(operation, document).length > 0 || (method === "PUT" && bodyOf(described) !== undefined),
    bound: inside.some((schema) => bounds.some((keyword) => keyword in schema)) || members.has("page_size"),
    "wrong type": bodyOf(described)
      ? inside.some((schema) => typed(schema))
      : inside.some((schema) => "pattern" in schema),
    "unknown id": inPath || refers,
    "foreign workspace": scopes.length > 0 && (inPath || refers || method === "GET" || onlyFor),
    "missing scope": scopes.length > 0,
    conflict:
      clashes.has(operation) ||
      (method !== "GET" && (members.has("default_provider_slug") || "slug" in (bodyOf(described)?.properties ?? {}))),
  };
  return new Set((Object.keys(applies) as Kind[]).filter((kind) => applies[kind]));
}

/** What an operation cannot do without, as places of a table: `name`, `?slugs`. */
export function requiredIn(operation: string, document: Document): string[] {
  const described = describedOf(operation, document);
  const inQuery = described.parameters.filter((one) => one.in === "query" && one.required);
  const whole = choicesOf(bodyOf(described) ?? {})[0];
  const workspace = needWorkspace.has(operation)
    ? [operation.startsWith("GET") ? "?workspace_id" : "workspace_id"]
    : [];
  return [...inQuery.map(({ name }) => `?${name}`), ...(whole?.required ?? []), ...workspace];
}

/** All that can be sent, by its name. */
export function membersOf(operation: string, document: Document): Set<string> {
  const described = describedOf(operation, document);
  const inQuery = described.parameters.filter((one) => one.in === "query").map(({ name }) => name);
  return new Set([...inQuery, ...namesIn([bodyOf(described) ?? {}])]);
}

/** What can be sent that has bounds of its own, as places of a table; pages are those of every list. */
export function boundedIn(operation: string, document: Document): string[] {
  const described = describedOf(operation, document);
  const inQuery = described.parameters.filter((one) => one.in === "query" && !/page/i.test(one.name));
  return [...inQuery.map(({ name, schema }) => [`?${name}`, schema] as const), ...fieldsOf(described)]
    .filter(([, schema]) => choicesOf(schema).some((one) => bounds.some((keyword) => keyword in one)))
    .map(([name]) => name);
}

/** Every field of a body, with a value that is of none of its types. */
export function mistyped(operation: string, document: Document): (readonly [name: string, value: unknown])[] {
  const values: Readonly<Record<string, unknown>> = {
    string: "x",
    number: 5,
    boolean: true,
    array: [5],
    object: { x: 5 },
  };
  return fieldsOf(describedOf(operation, document)).flatMap(([name, schema]) => {
    const types = choicesOf(schema).flatMap(({ type }) =>
      type === "integer" ? "number" : (type as string | string[]),
    );
    const wrong = Object.keys(values).find((type) => !types.includes(type));
    return types.includes("undefined") || types.some((type) => type === undefined) || wrong === undefined
      ? []
      : [[name, values[wrong]] as const];
  });
}

const fieldsOf = (described: Described): (readonly [name: string, schema: Schema])[] =>
  Object.entries(choicesOf(bodyOf(described) ?? {})[0]?.properties ?? {});

/** What a value can be. */
const choicesOf = (schema: Schema): Schema[] =>
  ((schema.anyOf as Schema[] | undefined) ?? [schema]).flatMap((one) => (one.anyOf ? choicesOf(one) : [one]));

/** What an answer is that `/openapi.json` does not say of it. */
export function undescribed(
  operation: string,
  { headers, body }: { readonly headers: Headers; readonly body: unknown },
  document: Document,
): string[] {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const schema = describedOf(operation, document).responses[200]?.content[type]?.schema;
  if (!schema) return [`${type} is not described`];
  return new Validator(schema, "2020-12", false)
    .validate(body)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

function describedOf(operation: string, { paths }: Document): Described {
  const [method = "", path = ""] = operation.split(" ");
  const described = paths[`/v1${path.replace("{sub-type}", "{subType}")}`]?.[method.toLowerCase()];
  if (!described) throw new Error(`${operation} is not in /openapi.json`);
  return described;
}

const bodyOf = ({ requestBody }: Described): Schema | undefined => requestBody?.content["application/json"].schema;

const scopesOf = ({ description = "" }: Described): string[] =>
  (/^Scopes?: (.*)\.$/.exec(description)?.[1] ?? "").split(/ (?:or|and) /).filter(Boolean);

const bounds = ["maxLength", "minLength", "minimum", "maximum", "enum", "maxItems", "minItems"];

const typed = ({ type }: Schema): boolean => type !== undefined;

/** A schema with all schemas in it. */
function within(schema: unknown): Schema[] {
  if (Array.isArray(schema)) return schema.flatMap(within);
  if (typeof schema !== "object" || schema === null) return [];
  return [schema as Schema, ...Object.values(schema).flatMap(within)];
}

/** The names of all members that can be sent. */
const namesIn = (schemas: readonly Schema[]): string[] =>
  schemas.flatMap(within).flatMap(({ properties }) => (properties ? Object.keys(properties) : []));
