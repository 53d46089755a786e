import {
  GatewayError,
  type ManagementCall,
  type SecretsService,
  type StoredSettings,
  unresolvedSecret,
} from "../../core/index.ts";
import type { SecretMapping } from "./documents.ts";

/** A mapping as it is sent: its reference an id or a slug. */
export interface SentMapping {
  readonly target_field: string;
  readonly secret_reference_id: string;
  readonly secret_key?: string | null | undefined;
  readonly value_format?: "string" | "json" | null | undefined;
}

const prefix = "configurations.";

/** `key`, or the member of configurations it is. */
export const memberOf = (target: string): string => (target.startsWith(prefix) ? target.slice(prefix.length) : target);

/** The fields that secrets fill in. */
export const mappedMembers = (mappings: readonly SecretMapping[]): string[] =>
  mappings.map(({ target_field }) => memberOf(target_field));

/**
 * Mappings as they are kept: with the whole name of their field, and the id of a reference that may be used here. `named`
 * says what a field is called in an integration.
 */
export async function keptMappings(
  call: ManagementCall,
  sent: readonly SentMapping[],
  workspace: string | undefined,
  named: (target: string) => string = whole,
): Promise<SecretMapping[]> {
  const kept: SecretMapping[] = [];
  for (const [at, { target_field, secret_reference_id, secret_key, value_format }] of sent.entries()) {
    const target = named(target_field);
    if (kept.some((one) => one.target_field === target))
      throw new GatewayError("record_invalid", `secret_mappings: ${target} is mapped twice.`, {
        param: `secret_mappings[${at}].target_field`,
      });
    const param = `secret_mappings[${at}].secret_reference_id`;
    const reference = await call.reference("secret_references", secret_reference_id, param, { workspace });
    kept.push({
      target_field: target,
      secret_reference_id: reference.id,
      secret_key: secret_key ?? null,
      value_format: value_format ?? null,
    });
  }
  return kept;
}

const whole = (target: string): string => (target === "key" || target.startsWith(prefix) ? target : prefix + target);

export interface ResolverInput {
  readonly settings: StoredSettings;
  readonly mappings: readonly SecretMapping[];
  readonly organisation: string;
  /** Of what one workspace owns: whose references may be used. */
  readonly workspace: string | undefined;
  /** Undefined where nobody fetches secrets. */
  readonly secrets: SecretsService | undefined;
  /** Told why a secret could not be had. */
  readonly failed: (error: unknown) => void;
}

/** Settings with what secrets fill in; the same object as long as the secrets are the same. */
export class MappedSettings {
  readonly #input: ResolverInput;
  /** What secrets gave, of settings that calls may still be under way with. */
  readonly #valuesIn = new WeakMap<StoredSettings, readonly string[]>();
  #last: { readonly values: readonly string[]; readonly settings: StoredSettings } | undefined;

  constructor(input: ResolverInput) {
    this.#input = input;
  }

  /** A promise only where a secret has to be fetched. Throws or rejects with `secret_unavailable`. */
  resolve(): StoredSettings | Promise<StoredSettings> {
    const { settings, mappings } = this.#input;
    if (mappings.length === 0) return settings;
    const values = this.#values();
    if (values.every((value) => typeof value === "string")) return this.#with(values);
    return Promise.all(values).then(
      (all) => this.#with(all),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Of many calls that were under way when a secret was replaced, all are refused: what replaced it is not fetched once for each. */
  refused(settings: StoredSettings | undefined): void {
    const { mappings, secrets, organisation } = this.#input;
    const values = settings && this.#valuesIn.get(settings);
    for (const [at, { secret_reference_id, secret_key }] of mappings.entries())
      secrets?.refused(organisation, secret_reference_id, secret_key ?? undefined, values?.[at]);
  }

  #values(): readonly (string | Promise<string>)[] {
    const { secrets, organisation, workspace, mappings } = this.#input;
    try {
      if (!secrets) throw new Error("no plugin of this deployment fetches secrets");
      return mappings.map(({ secret_reference_id, secret_key }) =>
        secrets.value(organisation, workspace, secret_reference_id, secret_key ?? undefined),
      );
    } catch (error) {
      return this.#fail(error);
    }
  }

  #with(values: readonly string[]): StoredSettings {
    const last = this.#last;
    if (last && values.every((value, at) => value === last.values[at])) return last.settings;
    try {
      const settings = filled(this.#input.settings, this.#input.mappings, values);
      this.#last = { values, settings };
      this.#valuesIn.set(settings, values);
      return settings;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#input.failed(error);
    throw unresolvedSecret(error);
  }
}

function filled(
  settings: StoredSettings,
  mappings: readonly SecretMapping[],
  values: readonly string[],
): StoredSettings {
  const fields: Record<string, unknown> = { ...settings.fields };
  let { key } = settings;
  for (const [at, { target_field, value_format }] of mappings.entries()) {
    const text = values[at] ?? "";
    if (target_field === "key") key = text;
    else fields[memberOf(target_field)] = value_format === "json" ? parsed(text, target_field) : text;
  }
  return { ...settings, key, fields };
}

/** Some vaults give JSON as a text inside JSON. */
function parsed(text: string, field: string): unknown {
  const value = jsonIn(text);
  // What a parser has to say of it would quote the secret.
  if (value === undefined) throw new Error(`the secret for ${field} is not JSON, as value_format says`);
  return typeof value === "string" ? (jsonIn(value) ?? value) : value;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
