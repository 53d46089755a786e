import type { OperationSpec } from "../model/operation-spec.ts";
import { suggestion } from "../nearest.ts";
import type { ProviderInput } from "./provider-definition.ts";

type Input = ProviderInput<never>;

const fields = Object.keys({
  name: true,
  summary: true,
  baseUrl: true,
  options: true,
  headerOptions: true,
  configFields: true,
  storedFields: true,
  tenantOptions: true,
  machineOptions: true,
  machineValues: true,
  authenticate: true,
  lacks: true,
  modelBehind: true,
  findModel: true,
  whyNot: true,
  anonymous: true,
  forwards: true,
  headerFilters: true,
  operations: true,
  batchOperations: true,
  procedures: true,
  sockets: true,
  sign: true,
  transport: true,
  readError: true,
  proxyPath: true,
  listModels: true,
  statesCost: true,
  paidTiers: true,
  raw: true,
} satisfies Record<keyof Input, true>);

/** What a provider says, with nothing missing and nothing misspelt: it would be as if it had not been said. */
export function checkedInput<Given extends { readonly [Field in keyof Input]?: unknown }>(input: Given): Given {
  const wrong = problemOf(input);
  if (wrong !== undefined) throw new Error(`defineProvider: ${wrong}`);
  return input;
}

function problemOf(input: { readonly [Field in keyof Input]?: unknown }): string | undefined {
  const { name, summary, operations, options } = input;
  // A definition made of another one says what it is.
  for (const key of Object.keys(input))
    if (key !== "kind" && !fields.includes(key)) return `unknown field "${key}"; ${suggestion(key, fields, "fields")}`;
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]*$/.test(name))
    return `the name ${JSON.stringify(name)} is none: lower-case letters, digits and hyphens, as in acme-labs`;
  if (typeof summary !== "string" || summary === "") return "summary is missing: one sentence on whose API it is";
  if (options !== undefined && !isObject((options as { shape?: unknown }).shape)) return "options is no z.strictObject";
  if (typeof operations === "function") return undefined;
  return isObject(operations) ? operationProblem(operations) : "operations is missing: what the vendor offers";
}

/** Of an operation: how it is misspelt, or cannot be called. */
function operationProblem(operations: object): string | undefined {
  for (const [operation, said] of Object.entries(operations))
    for (const one of [said].flat() as readonly (string | Partial<OperationSpec>)[]) {
      if (typeof one === "string") continue;
      if (typeof one?.format !== "string") return `${operation} has no format`;
      const { path } = one;
      if (typeof path === "string" && !/^(?:$|[/?]|https?:)/.test(path))
        return `the path of ${operation} is "${path}": it begins with a slash, below the base URL`;
    }
  return undefined;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
