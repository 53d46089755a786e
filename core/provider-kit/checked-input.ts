import type { OperationSpec } from "../model/operation-spec.ts";
import { didYouMean, suggestion } from "../nearest.ts";
import { type FieldKind, type FieldKindName, fieldKinds, kindOf } from "./field-kinds.ts";
import type { ProviderInput } from "./provider-definition.ts";

type Input = ProviderInput<never>;

export const providerFields = {
  name: "text",
  summary: "text",
  baseUrl: "textOrCall",
  options: "anything",
  headerOptions: "map",
  configFields: "map",
  impliedFields: "texts",
  storedFields: "map",
  tenantOptions: "texts",
  machineOptions: "texts",
  machineValues: "map",
  authenticate: "call",
  lacks: "call",
  modelBehind: "call",
  findModel: "call",
  whyNot: "call",
  anonymous: "flag",
  forwards: "texts",
  headerFilters: "mapOrCall",
  operations: "anything",
  batchOperations: "mapOrCall",
  procedures: "mapOrCall",
  sockets: "mapOrCall",
  sign: "call",
  transport: "call",
  readError: "call",
  proxyPath: "call",
  listModels: "call",
  statesCost: "flag",
  videos: "map",
  paidTiers: "call",
  raw: "flag",
} satisfies Record<keyof Input, FieldKindName>;

export const operationFields = {
  format: "text",
  path: "textOrCall",
  serves: "call",
  firstFor: "call",
  defaultModel: "text",
  model: "call",
  framing: "framing",
  whole: "flag",
  streamsOnly: "call",
  origin: "text",
  thinkingField: "text",
  attachments: "texts",
  instructsWithin: "flag",
  leavesOutThinking: "flag",
  signer: "text",
  exact: "flag",
  functionsOnly: "flag",
  chatFields: "texts",
  drops: "texts",
  dropsOfOwn: "texts",
  renames: "mapOfTexts",
  defaults: "map",
  clamps: "mapOfBounds",
  most: "mapOfNumbers",
  purposes: "map",
  bodyHeaders: "mapOfTexts",
  headerFields: "mapOfTexts",
  metadata: "call",
  rewrite: "rewrite",
  normalise: "call",
  normaliseFrame: "call",
  lastFrame: "map",
} satisfies Record<keyof OperationSpec, FieldKindName>;

/** What a provider says, with nothing missing and nothing misspelt: it would be as if it had not been said. */
export function checkedInput<Given extends { readonly [Field in keyof Input]?: unknown }>(input: Given): Given {
  const wrong = problemOf(input);
  if (wrong !== undefined) throw new Error(`defineProvider: ${wrong}`);
  return input;
}

function problemOf(input: { readonly [Field in keyof Input]?: unknown }): string | undefined {
  const { name, summary, operations, batchOperations, options } = input;
  // A definition made of another one says what it is.
  for (const key of Object.keys(input))
    if (key !== "kind" && !Object.hasOwn(providerFields, key))
      return `unknown field "${key}"; ${suggestion(key, Object.keys(providerFields), "fields")}`;
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]*$/.test(name))
    return `the name ${JSON.stringify(name)} is none: lower-case letters, digits and hyphens, as in acme-labs`;
  if (typeof summary !== "string" || summary === "") return "summary is missing: one sentence on whose API it is";
  if (options !== undefined && !isObject((options as { shape?: unknown }).shape)) return "options is no z.strictObject";
  const misfit = misfitIn(input, providerFields);
  if (misfit !== undefined) return misfit;
  if (typeof operations === "function") return operationProblem(batchOperations);
  if (!isObject(operations)) return "operations is missing: what the vendor offers";
  return operationProblem(operations) ?? operationProblem(batchOperations);
}

/** Of operations: how one is misspelt, holds what it cannot, or cannot be called. */
export function operationProblem(operations: unknown): string | undefined {
  if (!isObject(operations)) return undefined;
  for (const [operation, said] of Object.entries(operations))
    for (const one of [said].flat() as readonly (string | Partial<OperationSpec>)[]) {
      const wrong = typeof one === "string" ? undefined : specProblem(operation, one);
      if (wrong !== undefined) return wrong;
    }
  return undefined;
}

function specProblem(operation: string, spec: Partial<OperationSpec> | undefined): string | undefined {
  if (typeof spec?.format !== "string") return `${operation} has no format`;
  // A member of another name is for the functions beside it; one that is nearly that of a field is meant to be it.
  for (const key of Object.keys(spec)) {
    const meant = Object.hasOwn(operationFields, key) ? "" : didYouMean(key, Object.keys(operationFields));
    if (meant !== "") return `unknown field "${key}" of ${operation}${meant}`;
  }
  const misfit = misfitIn(spec, operationFields);
  if (misfit !== undefined) return `${operation}: ${misfit}`;
  const { path } = spec;
  if (typeof path === "string" && !fieldKinds.path.fits(path))
    return `the path of ${operation} is "${path}": it begins with a slash, below the base URL`;
  return undefined;
}

/** A field that is there and undefined is as good as not there. */
function misfitIn(given: object, known: Readonly<Record<string, FieldKindName>>): string | undefined {
  for (const [key, value] of Object.entries(given)) {
    const kind: FieldKind = fieldKinds[known[key] ?? "anything"];
    if (value !== undefined && !kind.fits(value)) return `${key} is ${shown(value)}, and has to be ${kind.words}`;
  }
  return undefined;
}

/** What stands there, as far as it can be told in a line. */
function shown(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 80) ?? kindOf(value);
  } catch {
    return kindOf(value);
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
