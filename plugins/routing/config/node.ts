import type { ConfigNode, ProviderRegistry, Strategy } from "../../../core/index.ts";
import type { OwnFields } from "./own-fields.ts";
import type { Path } from "./problems.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Who reads a config, and with what. */
export interface ReadContext {
  readonly vocabulary: Pick<Vocabulary, "fields" | "strategies" | "bringers">;
  /** What the config is called, where it is kept. */
  readonly name?: string | undefined;
  readonly providers: Pick<ProviderRegistry, "all" | "knows" | "configured" | "stores" | "acceptsHost" | "mayForward">;
  /** The config is kept, in the file or elsewhere: a mistyped key is a mistake. */
  readonly saved: boolean;
  /** It stands in the file: its hosts are the operator's word, and the providers it names are those of the file. */
  readonly trusted: boolean;
  /** It was kept earlier, by rules that may have been others: it is not held to what only somebody who writes one can mend. */
  readonly kept?: boolean;
  /** The fields that are options of a provider; asked for configs that are kept, whose providers are loaded. */
  readonly fieldsOf?: (provider: string) => readonly string[];
}

/** A node as it was written, its values read; what its ancestors pass down is not yet in it. */
export interface ReadNode {
  /** `config.targets[1]` */
  readonly place: string;
  /** For mistakes: `["targets", 1]` */
  readonly path: Path;
  readonly fields: Readonly<Record<string, unknown>> & OwnFields;
  readonly name?: string;
  readonly weight: number;
  /** Keys that may be options of the provider the node turns out to have. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Absent on leaves. */
  readonly group?: ReadGroup;
}

export interface ReadGroup {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly targets: readonly ReadNode[];
}

/** A node as strategies and wrappers see it, with what its ancestors pass down. */
export const configNode = (
  { place, name, weight }: Pick<ReadNode, "place" | "name" | "weight">,
  fields: ConfigNode["fields"],
  options: ConfigNode["options"] = {},
): ConfigNode => ({
  path: place,
  ...(name !== undefined && { name }),
  weight,
  fields,
  ...(Object.keys(options).length > 0 && { options }),
});

/** `@slug/model`, `@slug` and `slug` name the same provider. */
export const slugOf = (provider: string): string => provider.replace(/^@/, "").replace(/\/.*$/s, "");
