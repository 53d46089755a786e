import { named, type Owner } from "./own-functions.ts";
import type { ProviderDefinition } from "./provider-definition.ts";

const known = new WeakMap<ProviderDefinition, ProviderDefinition>();

/** A definition whose functions say whose they are when they fail. It is made once, however often requests bind it. */
export function namedDefinition(definition: ProviderDefinition): ProviderDefinition {
  const ready = known.get(definition);
  if (ready) return ready;
  const made = withNames(definition);
  known.set(definition, made);
  return made;
}

/** Called with the options as its only argument, where they are functions. */
const ofOptions = ["baseUrl", "lacks", "operations", "batchOperations", "procedures", "sockets", "transport"] as const;

function withNames(definition: ProviderDefinition): ProviderDefinition {
  const owner: Owner = `provider ${definition.name}`;
  const { authenticate, sign, findModel, modelBehind, whyNot, headerFilters, proxyPath, readError } = definition;
  const made = ofOptions.flatMap((name) => {
    const call: unknown = definition[name];
    return typeof call === "function" ? [[name, named(owner, name, call as () => unknown)]] : [];
  });
  return {
    ...definition,
    ...(Object.fromEntries(made) as Partial<ProviderDefinition>),
    ...(authenticate && { authenticate: credentialsOf(owner, authenticate) }),
    ...(sign && { sign: named(owner, "sign", sign) }),
    ...(findModel && { findModel: named(owner, "findModel", findModel) }),
    ...(modelBehind && { modelBehind: named(owner, "modelBehind", modelBehind) }),
    ...(whyNot && { whyNot: named(owner, "whyNot", whyNot) }),
    ...(proxyPath && { proxyPath: named(owner, "proxyPath", proxyPath) }),
    ...(readError && { readError: named(owner, "readError", readError) }),
    ...(headerFilters && { headerFilters: filters(owner, headerFilters) }),
  };
}

type Definition<Name extends keyof ProviderDefinition> = NonNullable<ProviderDefinition[Name]>;

/** What is asked before each call may fail then. */
function credentialsOf(owner: Owner, authenticate: Definition<"authenticate">): Definition<"authenticate"> {
  const begin = named(owner, "authenticate", authenticate);
  return (options) => {
    const credential = begin(options);
    return typeof credential === "function" ? named(owner, "authenticate", credential) : credential;
  };
}

const filters = (owner: Owner, written: Definition<"headerFilters">): Definition<"headerFilters"> =>
  Object.fromEntries(
    Object.entries(written).map(([header, filter]) => [header, named(owner, "headerFilters", filter)]),
  );
