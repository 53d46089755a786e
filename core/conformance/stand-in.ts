import { z } from "zod";
import type { ProviderDefinition } from "../provider-kit/provider-definition.ts";

type Options = Readonly<Record<string, unknown>>;

/** Options a provider can be called with: what is given, the mock's address, and stand-ins for what it requires. */
export function standInOptions(definition: ProviderDefinition, given: Options, origin: string): Options {
  const address = origin + pathOf(definition.baseUrl);
  const base: Options = { apiKey: "stand-in-key-0123456789", ...given, baseUrl: address };
  const first = definition.options.safeParse(base);
  if (first.success) return first.data;
  const missing = first.error.issues.flatMap(({ path: [name, ...deeper] }) =>
    typeof name === "string" && deeper.length === 0 && !(name in base) ? [name] : [],
  );
  const filled = { ...base };
  for (const name of missing) filled[name as keyof typeof filled] = valueFor(definition, name, address);
  const second = definition.options.safeParse(filled);
  if (second.success) return second.data;
  const names = [...new Set(second.error.issues.map(({ path: [name] }) => String(name)))].join(", ");
  throw new Error(
    `${definition.name} cannot be set up with stand-ins: give it the options ${names}. ${z.prettifyError(second.error)}`,
  );
}

/** The first of what a schema may want that it takes. */
function valueFor({ options }: ProviderDefinition, name: string, address: string): unknown {
  const schema = options.shape[name] as z.ZodType | undefined;
  const values = schema instanceof z.ZodEnum ? schema.options : [];
  const candidates: unknown[] = [
    ...values,
    `stand-in-${name}`.toLowerCase(),
    "stand-in",
    "standin",
    "global",
    address,
    1,
    true,
    {},
    [],
  ];
  return candidates.find((value) => schema?.safeParse(value).success);
}

/** The vendor's own path below its host: the mock is called with the same one. */
function pathOf(baseUrl: ProviderDefinition["baseUrl"]): string {
  return typeof baseUrl === "string" ? new URL(baseUrl).pathname.replace(/\/+$/, "") : "";
}
