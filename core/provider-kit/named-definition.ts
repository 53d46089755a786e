import { isRecord } from "../codec-kit/records.ts";
import type { ErrorDetail } from "../errors/error-detail.ts";
import { isHeaderName } from "../http/header-shapes.ts";
import type { Headers } from "../model/headers.ts";
import { shownSecret } from "../secrets/secret.ts";
import { isThenable } from "../time/deadline.ts";
import { kindOf } from "./field-kinds.ts";
import { named, type Owner } from "./own-functions.ts";
import type { HeaderFilters, ProviderDefinition } from "./provider-definition.ts";

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
    ...(sign && { sign: named(owner, "sign", signing(sign)) }),
    ...(findModel && { findModel: named(owner, "findModel", findModel) }),
    ...(modelBehind && { modelBehind: named(owner, "modelBehind", modelBehind) }),
    ...(whyNot && { whyNot: named(owner, "whyNot", whyNot) }),
    ...(proxyPath && { proxyPath: named(owner, "proxyPath", proxyPath) }),
    ...(readError && { readError: named(owner, "readError", readingErrors(readError)) }),
    ...(headerFilters && { headerFilters: filtersOf(owner, headerFilters) }),
  };
}

type Definition<Name extends keyof ProviderDefinition> = NonNullable<ProviderDefinition[Name]>;

/** What is asked before each call may fail then. */
function credentialsOf(owner: Owner, authenticate: Definition<"authenticate">): Definition<"authenticate"> {
  return named(owner, "authenticate", (options: Parameters<typeof authenticate>[0]) => {
    const credential = authenticate(options);
    if (typeof credential !== "function") return credential && headersIn(credential, orNone);
    return named(owner, "authenticate", async () => headersIn(await credential()));
  });
}

/** What has no message says nothing: the format's way of reading it is then asked. */
const readingErrors =
  (readError: Definition<"readError">): Definition<"readError"> =>
  (...answer) => {
    const detail = readError(...answer) as unknown;
    // What it is may be the vendor's words, with a credential in them.
    if (detail !== undefined && detail !== null && (!isRecord(detail) || isThenable(detail)))
      throw new Error(`it gave ${kindOf(detail)}, and has to give an error such as { message: "…" }, or nothing`);
    return typeof detail?.message === "string" ? (detail as unknown as ErrorDetail) : undefined;
  };

/** What covers a call is headers, too, at once or in time. */
const signing =
  (sign: Definition<"sign">): Definition<"sign"> =>
  (call, options) => {
    const made = sign(call, options);
    return made instanceof Promise ? made.then((headers) => headersIn(headers)) : headersIn(made);
  };

const plainOnes = 'headers are expected, such as { authorization: "Bearer …" }';
const orNone = `${plainOnes}, or undefined where there is no credential`;

/** What is given for headers, if they are plain ones; otherwise an error that says what it is, and not what stands in it. */
function headersIn(given: unknown, expected = plainOnes): Headers {
  if (given instanceof Promise) {
    given.catch(() => undefined);
    throw new Error(
      "it gave a promise: what takes time is done by a function that it gives, which is called before each call",
    );
  }
  // What is read by going through it (`Headers`, `Map`) has no members.
  if (!isRecord(given) || Symbol.iterator in given) throw new Error(`it gave ${kindOf(given)}: ${expected}`);
  for (const [name, value] of Object.entries(given)) {
    if (!isHeaderName(name))
      throw new Error(`it gave ${JSON.stringify(name)} as the name of a header, which it is not`);
    if (typeof value !== "string" && value !== undefined)
      throw new Error(`it gave ${kindOf(value)} for the header ${name}: ${expected}`);
    if (value?.includes(shownSecret))
      throw new Error(`it gave "${shownSecret}" for the header ${name}: the text of a secret is its reveal()`);
  }
  return given as Headers;
}

function filtersOf(owner: Owner, written: Definition<"headerFilters">): Definition<"headerFilters"> {
  if (typeof written !== "function") return filters(owner, written);
  const made = named(owner, "headerFilters", written);
  return (options: Parameters<typeof written>[0]) => filters(owner, made(options));
}

const filters = (owner: Owner, written: HeaderFilters): HeaderFilters =>
  Object.fromEntries(
    Object.entries(written).map(([header, filter]) => [header, named(owner, "headerFilters", filter)]),
  );
