import { GatewayError } from "../errors/gateway-error.ts";
import type { Format } from "../model/format.ts";
import type { OperationSpec, Rewrite } from "../model/operation-spec.ts";
import type { OperationName } from "../model/operations.ts";
import type { BoundProvider } from "../model/provider.ts";
import { operationProblem } from "./checked-input.ts";
import { fieldKinds, kindOf } from "./field-kinds.ts";
import { namedFunctions } from "./own-functions.ts";
import type { CommonOptions, OperationInput, ProviderDefinition } from "./provider-definition.ts";

type Options = CommonOptions & Record<string, unknown>;

/** Completes what a provider says with what its formats say about vendors in general. */
export function operationsOf(
  definition: Pick<ProviderDefinition, "name" | "operations">,
  options: Options,
  formats: ReadonlyMap<string, Format>,
): BoundProvider["operations"] {
  const offered = offeredBy(definition, options);
  const operations: Record<string, OperationSpec[]> = {};
  for (const [name, input] of Object.entries(offered)) {
    const list = (Array.isArray(input) ? input : [input]) as readonly OperationInput[];
    const specs = list
      .map((one) => (typeof one === "string" ? { format: one } : one))
      .filter((one) => formats.has(one.format))
      .map((one) => completed(definition, name as OperationName, one, formats));
    if (specs.length > 0) operations[name] = specs;
  }
  return operations;
}

/** Definitions whose functions have given operations that can be used: it is not looked at for every request that brings options. */
const judged = new WeakSet<object>();

function offeredBy({ name, operations }: Pick<ProviderDefinition, "name" | "operations">, options: Options) {
  if (typeof operations !== "function") return operations;
  const offered = operations(options as never);
  if (judged.has(operations)) return offered;
  const given: unknown = offered;
  const wrong = fieldKinds.map.fits(given)
    ? operationProblem(given)
    : `it gave ${kindOf(given)}, and has to give ${fieldKinds.map.words}`;
  if (wrong !== undefined) throw new Error(`[provider ${name}] operations: ${wrong}`);
  judged.add(operations);
  return offered;
}

function completed(
  definition: Pick<ProviderDefinition, "name">,
  operation: OperationName,
  input: Partial<OperationSpec> & Pick<OperationSpec, "format">,
  formats: ReadonlyMap<string, Format>,
): OperationSpec {
  const spec = namedFunctions(`provider ${definition.name}`, input);
  const format = formats.get(spec.format);
  if (format && format.operation !== operation)
    throw new Error(
      `[provider ${definition.name}] operations.${operation} has the format ${spec.format}, which is one of ${format.operation}: name it operations.${format.operation}.`,
    );
  const said = format?.upstream;
  const usual = said && namedFunctions(`format ${spec.format}`, said);
  const path = spec.path ?? usual?.path;
  if (path === undefined)
    throw new GatewayError(
      "internal",
      `The provider ${definition.name} has no path for ${operation} (${spec.format}).`,
    );
  if (!usual || spec.exact) return { ...spec, path };
  return {
    ...usual,
    ...spec,
    path,
    ...((usual.renames || spec.renames) && { renames: withoutSame({ ...usual.renames, ...spec.renames }) }),
    ...((usual.rewrite || spec.rewrite) && { rewrite: bothRewrites(usual.rewrite, spec.rewrite) }),
  };
}

/** A name that stays is how a vendor takes back what most others rename. */
const withoutSame = (renames: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(renames).filter(([from, to]) => from !== to));

/** What most vendors of a format need rewritten, and then what this one does. */
const bothRewrites = (usual: Rewrite | undefined, own: Rewrite | undefined): Rewrite => ({
  when: [...(usual?.when ?? []), ...(own?.when ?? [])],
  apply: (wire, report) => {
    const first = usual ? usual.apply(wire, report) : { ...wire };
    return own ? own.apply(first, report) : first;
  },
});
