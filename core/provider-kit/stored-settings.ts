import type { z } from "zod";
import { isRecord } from "../codec-kit/records.ts";
import { isHeaderName, isHeaderValue } from "../http/header-shapes.ts";
import type { AddressRules } from "../http/upstream/address-rules.ts";
import type { ModelSettings, StoredProblem, StoredSettings } from "../services/stored-providers.ts";
import { holdsSecret, isMachineValue, type Options, optionsByField, withoutMachine } from "./brought.ts";
import { namedDefinition } from "./named-definition.ts";
import type { ProviderDefinition } from "./provider-definition.ts";

/** What judges settings beyond the vendor's own schema. */
export interface SettingsRules {
  readonly rules: AddressRules;
  /** Whether a header may be sent to a vendor on somebody's word. In lower case. */
  readonly mayForward: (header: string) => boolean;
}

/** Settings as options of their vendor. */
export interface ReadSettings {
  readonly options: Options;
  /** The host is one of their own. */
  readonly ownHost: boolean;
  /** Whoever runs that host may want no credential. */
  readonly mayLackKey: boolean;
}

/** The fields of stored settings that are options of a provider, with the option. */
const storedFields = (definition: ProviderDefinition): ReadonlyMap<string, string> =>
  new Map([
    ...Object.entries((definition.storedFields ?? {}) as Readonly<Record<string, readonly string[]>>).flatMap(
      ([option, fields]) => fields.map((field) => [field, option] as const),
    ),
    ...optionsByField(definition),
  ]);

/** The names stored settings have for options of a provider. */
const settingNames = (definition: ProviderDefinition): string[] => [...storedFields(definition).keys()];

/** Those of them that are secrets by the provider's schema. */
export const secretNames = (definition: ProviderDefinition): string[] =>
  [...storedFields(definition)]
    .filter(([, option]) => isSecret(definition.options.shape[option]))
    .map(([field]) => field);

/** Tried out, since a schema does not say what it makes of a text. */
const isSecret = (schema: unknown): boolean =>
  ['{"a":"b"}', "text"].some((text) => holdsSecret((schema as z.ZodType | undefined)?.safeParse(text).data));

/** Reads settings for a call of a model, or tells what is wrong with them. */
export function readSettings(
  definition: ProviderDefinition,
  settings: StoredSettings,
  model: ModelSettings | undefined,
  judges: SettingsRules,
): ReadSettings | { readonly problems: readonly StoredProblem[] } {
  const values = valuesIn(definition, settings, model);
  const customHost = model?.host ?? settings.fields.custom_host ?? undefined;
  if (customHost !== undefined) values.baseUrl = customHost;
  const problems = [
    ...hostProblems(customHost === undefined ? fieldOf(definition, "baseUrl") : "custom_host", values.baseUrl, judges),
    ...headerProblems("custom_headers", values.headers, judges),
    ...headerProblems("forward_headers", values.forwardHeaders, judges),
  ];
  if (problems.length > 0) return { problems };
  const parsed = definition.options.safeParse(values);
  if (!parsed.success)
    return {
      problems: parsed.error.issues.map(({ path: [option, ...within], message }) => ({
        field: [fieldOf(definition, String(option)), ...within].join("."),
        message: values[String(option)] === undefined ? "is required" : message,
      })),
    };
  const options = parsed.data as Options;
  if (!settings.machine && usesMachine(definition, options))
    return { problems: [{ field: machineField(definition), message: "would use credentials of this machine" }] };
  return { options, ownHost: values.baseUrl !== undefined, mayLackKey: customHost !== undefined };
}

/** What is still missing before anybody could be called with these options. */
export function missingIn(definition: ProviderDefinition, { options, mayLackKey }: ReadSettings): StoredProblem[] {
  const lacks = namedDefinition(definition).lacks?.(options as never);
  if (lacks !== undefined)
    return [{ field: lackedField(definition, lacks), message: `${definition.name} needs ${lacks}` }];
  const shown = mayLackKey || definition.anonymous || Object.keys(options.headers).length > 0;
  return shown || isAuthenticated(definition, options) ? [] : [{ field: "key", message: "is required" }];
}

function isAuthenticated(definition: ProviderDefinition, options: Options): boolean {
  const { authenticate } = namedDefinition(definition);
  return (authenticate ? authenticate(options as never) : options.apiKey) !== undefined;
}

/** With the credentials of this machine, or without any of its own. */
function usesMachine(definition: ProviderDefinition, options: Options): boolean {
  if (Object.entries(options).some(([option, value]) => isMachineValue(definition, option, value))) return true;
  const { machineOptions = [] } = definition;
  if (machineOptions.every((option) => options[option] === undefined)) return false;
  return (
    isAuthenticated(definition, options) && !isAuthenticated(definition, withoutMachine(options, definition) ?? options)
  );
}

function machineField(definition: ProviderDefinition): string {
  const [option] = [...(definition.machineOptions ?? []), ...Object.keys(definition.machineValues ?? {})];
  return fieldOf(definition, option ?? "");
}

function valuesIn(
  definition: ProviderDefinition,
  { key, fields }: StoredSettings,
  model: ModelSettings | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, option] of storedFields(definition))
    if (Object.hasOwn(fields, field) && fields[field] !== null) values[option] = fields[field];
  if (key !== undefined) values.apiKey = key;
  const { custom_headers, forward_headers } = fields;
  // What is no map of headers is refused by the schema.
  const headers = isRecord(custom_headers ?? {})
    ? { ...lowerCase(custom_headers ?? {}), ...lowerCase(model?.headers ?? {}) }
    : custom_headers;
  values.headers = headers;
  if (forward_headers !== undefined && forward_headers !== null) values.forwardHeaders = forward_headers;
  return values;
}

const lowerCase = (headers: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const notCallable =
  "is not an address that may be called: private ones have to be among server.trustedHosts (TRUSTED_CUSTOM_HOSTS)";

const hostProblems = (field: string, url: unknown, { rules }: SettingsRules): StoredProblem[] =>
  url === undefined || (typeof url === "string" && rules.refuseUrl(url, true) === undefined)
    ? []
    : [{ field, message: notCallable }];

/** Of headers with values, or of names alone. */
function headerProblems(field: string, headers: unknown, { mayForward }: SettingsRules): StoredProblem[] {
  if (typeof headers !== "object" || headers === null) return [];
  const pairs = Array.isArray(headers)
    ? headers.map((name) => [typeof name === "string" ? name.toLowerCase() : "", ""] as const)
    : Object.entries(headers);
  return pairs.flatMap(([name, value]) => {
    if (!isHeaderName(name) || name !== name.toLowerCase() || !mayForward(name))
      return [{ field, message: `"${name}" is no header that may be set for a vendor` }];
    return typeof value === "string" && isHeaderValue(value)
      ? []
      : [{ field: `${field}.${name}`, message: "must be text for a header" }];
  });
}

/** The name an option has in settings. */
function fieldOf(definition: ProviderDefinition, option: string): string {
  if (option === "apiKey") return "key";
  if (option === "headers") return "custom_headers";
  if (option === "forwardHeaders") return "forward_headers";
  const fields = [...storedFields(definition)].filter(([, named]) => named === option).map(([field]) => field);
  return fields.at(-1) ?? (option === "baseUrl" ? "custom_host" : option);
}

/** `resourceName (azure-resource-name)`: the option that is named, by the field of its header. */
const lackedField = (definition: ProviderDefinition, lacks: string): string =>
  settingNames(definition)
    .filter((field) => lacks.includes(field.replaceAll("_", "-")))
    .sort((left, right) => right.length - left.length)[0] ?? "key";

/** Values of headers that no caller may see. */
export const headerSecrets = ({ headers }: Pick<Options, "headers">): string[] =>
  Object.entries(headers)
    .filter(([name, value]) => isSensitiveHeader(name) && value.length > 3)
    .flatMap(([, value]) => [...new Set([value, value.replace(/^\S+ /, "")])]);

const isSensitiveHeader = (name: string): boolean => /auth|key|token|secret|cookie|password|signature/i.test(name);
