import { type Alias, type Endpoint, type EndpointDescription, z } from "../../core/index.ts";
import { inferenceCalls } from "./inference-calls.ts";

type Json = Readonly<Record<string, unknown>>;

/** One call, as OpenAPI 3.1 describes it. */
export interface OperationObject extends Json {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
}

export interface OpenApiDocument extends Json {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

/** The OpenAPI 3.1 document of a deployment: exactly the endpoints its plugins registered, and where else they are found. */
export function openApiDocument(endpoints: readonly Endpoint[], aliases: readonly Alias[] = []): OpenApiDocument {
  const paths: Record<string, Record<string, OperationObject>> = {};
  const ids = new Map<string, number>();
  const told = new Set<string>();
  const described = new Set(
    endpoints.flatMap(({ path, description }) => (path.startsWith("/v1/") ? (description ?? []) : [])),
  );
  for (const endpoint of [...endpoints, ...behindModels(endpoints, aliases)]) {
    // The management API is under /v2 as well, word for word, and what is called with prompts.
    const isTold = endpoint.errors === "management" || (endpoint.description && described.has(endpoint.description));
    if (isTold && endpoint.path.startsWith("/v2/")) continue;
    const path = pathOf(endpoint);
    const method = endpoint.method.toLowerCase();
    const calls = paths[path] ?? {};
    const known = calls[method];
    const place = `${method} ${path} ${endpoint.type}`;
    if (known && told.has(place)) continue;
    told.add(place);
    calls[method] = known ? alsoFor(known, endpoint) : operationOf(endpoint, path, ids);
    paths[path] = calls;
  }
  const sorted = Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)));
  const tags = [
    ...new Set(Object.values(sorted).flatMap((calls) => Object.values(calls).flatMap((call) => call.tags))),
  ];
  return {
    openapi: "3.1.0",
    info: {
      title: "Sluice",
      version: "2.0.0",
      description: [
        "Models of many providers behind one address, and the management of who may use them.",
        ...aliases.map(saidOf),
      ].join(" "),
    },
    tags: tags.map((name) => ({ name })),
    paths: sorted,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "x-gateway-api-key" },
        bearer: { type: "http", scheme: "bearer" },
      },
      schemas: { Error: errorSchema },
    },
  };
}

const saidOf = ({ prefix, meant }: Alias): string => `What is below ${meant} is found below ${prefix}, too.`;

/** Endpoints as they are found with the name of a model in their path. */
const behindModels = (endpoints: readonly Endpoint[], aliases: readonly Alias[]): readonly Endpoint[] =>
  aliases.flatMap(({ prefix, meant, models, named }) =>
    models === undefined
      ? []
      : endpoints
          .filter(({ method, path }) => method === "POST" && named.has(path) && path.startsWith(meant))
          .map((endpoint) => ({ ...endpoint, path: `${prefix}${models}:model/${endpoint.path.slice(meant.length)}` })),
  );

/** The description of a call whose place several endpoints share: the rest of a path says which one is meant. */
function alsoFor(known: OperationObject, endpoint: Endpoint): OperationObject {
  const { tag, summary } = wordsOf(endpoint) ?? {};
  if (tag === undefined) return known;
  return { ...known, tags: [...new Set([...known.tags, tag])], summary: `${known.summary} ${summary}` };
}

/** What is said of an endpoint: by itself, or of all of its type. */
const wordsOf = ({ type, description }: Endpoint) => description ?? inferenceCalls[type];

/** `/v1/configs/{slug}`; what stands for the rest of a path is a parameter like any other. */
const pathOf = ({ path }: Endpoint): string => path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{rest}");

function operationOf(endpoint: Endpoint, path: string, ids: Map<string, number>): OperationObject {
  const { method, operation, format, open, scopes = [], description = {} } = endpoint;
  const { anyScope = [], query, body, answer }: Partial<EndpointDescription> = description;
  const { tag, summary } = wordsOf(endpoint) ?? {
    tag: operation ?? "passthrough",
    summary: operation
      ? `Takes a request of the operation ${operation}, in the format ${format}.`
      : `${method} ${path}`,
  };
  const needed =
    scopes.length > 0
      ? `Scopes: ${scopes.join(" and ")}.`
      : anyScope.length > 0
        ? `Scope: ${anyScope.join(" or ")}.`
        : "";
  const content = bodyOf(endpoint, body);
  return {
    operationId: uniqueId(operationId(method, path), ids),
    tags: [tag],
    summary,
    ...(needed && { description: needed }),
    security: open ? [] : [{ apiKey: [] }, { bearer: [] }],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: { description: "Done.", content: answerOf(endpoint, answer) },
      default: {
        description: "Refused.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** `postApiKeysTypeSubType`: what a generated client calls it. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/v1(?=\/)/, "")
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("");

function uniqueId(id: string, ids: Map<string, number>): string {
  const count = (ids.get(id) ?? 0) + 1;
  ids.set(id, count);
  return count === 1 ? id : `${id}${count}`;
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters(query: z.ZodObject | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function bodyOf(
  { method, path, type, rawBody, operation, jsonFormat }: Endpoint,
  body: z.ZodType | undefined,
): Json | undefined {
  if (body) return { "application/json": { schema: schemaOf(body, "input") } };
  if (method === "GET" || method === "DELETE" || method === "HEAD") return undefined;
  const call = inferenceCalls[type];
  if (call?.bare) return undefined;
  // Where the rest of a path says which call it is, not all have this one's members.
  const members = path.endsWith("*") ? undefined : call?.body;
  if (call) {
    const types = call.form
      ? ["multipart/form-data", ...(jsonFormat ? ["application/json"] : [])]
      : ["application/json"];
    return Object.fromEntries(types.map((name) => [name, { schema: { type: "object", ...members } }]));
  }
  return operation || !rawBody ? { "application/json": { schema: { type: "object" } } } : undefined;
}

function answerOf({ type, description }: Endpoint, answer: z.ZodType | undefined): Json {
  if (description?.media !== undefined) return { [description.media]: { schema: { type: "string" } } };
  const json = { "application/json": { schema: answer ? schemaOf(answer, "output") : {} } };
  return inferenceCalls[type]?.streams ? { ...json, "text/event-stream": { schema: { type: "string" } } } : json;
}

/** JSON Schema of a zod schema, without the name of the dialect, which the document has once. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

const errorSchema = {
  type: "object",
  description: "Which members there are depends on the surface: the management API has success, data and error.",
  properties: {
    success: { type: "boolean" },
    status: { type: "string" },
    message: { type: "string" },
    data: {
      type: "object",
      properties: { message: { type: "string" }, errorCode: { type: "string", pattern: "^AB0[1-9]$" } },
    },
    error: {
      type: ["object", "string"],
      properties: {
        type: { type: ["string", "null"] },
        message: { type: "string" },
        param: { type: ["string", "null"] },
        code: { type: ["string", "integer", "null"] },
      },
    },
  },
};
