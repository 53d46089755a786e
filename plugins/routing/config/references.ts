import { type ConfigReference, isRecord } from "../../../core/index.ts";
import { slugIn } from "../model-names.ts";
import { type ReadNode, slugOf } from "./node.ts";
import type { Path } from "./problems.ts";

/** Something a node names that stands elsewhere. The path is relative to the node. */
export interface Named extends Omit<ConfigReference, "path"> {
  readonly path: Path;
}

/** The stored providers a node names. */
export function storedProviders({ fields }: Pick<ReadNode, "fields">): Named[] {
  const { provider, virtual_key, override_params } = fields;
  const model = override_params?.model;
  const inFront = typeof model === "string" ? slugIn(model) : undefined;
  const named = (path: Path, ref: string): Named => ({ kind: "providers", ref, path });
  return [
    ...(provider?.startsWith("@") ? [named(["provider"], slugOf(provider))] : []),
    ...(virtual_key !== undefined ? [named(["virtual_key"], virtual_key.replace(/^@/, ""))] : []),
    ...(inFront ? [named(["override_params", "model"], inFront.name)] : []),
  ];
}

/** Everything a config names that stands elsewhere. */
export function referencesIn(node: ReadNode): ConfigReference[] {
  const own = [...storedProviders(node), ...guardrails(node), ...prompts(node)];
  const below = (node.group?.targets ?? []).flatMap(referencesIn);
  return [...own.map((one) => ({ ...one, path: [...node.path, ...one.path].join(".") })), ...below];
}

const slugLists = ["input_guardrails", "output_guardrails", "input_mutators", "output_mutators"] as const;
const hookLists = ["before_request_hooks", "after_request_hooks"] as const;

/**
 * A guardrail by its slug, or a hook without checks, which is named by its id (routing-config.md section 12.1): whoever owns
 * the lists reads both as that slug, or as an object that has it as `ref`. What is written out is named by nobody.
 */
function guardrails({ fields }: ReadNode): Named[] {
  const namedIn = (names: readonly string[], ...within: Path) =>
    names.flatMap((name) =>
      listOf(fields[name]).flatMap((entry, at): Named[] => {
        if (typeof entry === "string") return [{ kind: "guardrails", ref: entry, path: [name, at, ...within] }];
        const ref = isRecord(entry) ? entry.ref : undefined;
        return typeof ref === "string" ? [{ kind: "guardrails", ref, path: [name, at, "id"] }] : [];
      }),
    );
  return [...namedIn(slugLists), ...namedIn(hookLists, "id")];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const prompts = ({ fields: { prompt_id } }: ReadNode): Named[] =>
  typeof prompt_id === "string" ? [{ kind: "prompts", ref: prompt_id, path: ["prompt_id"] }] : [];
