import { createHash } from "node:crypto";
import { type ConfigNode, type Exchange, type RouteChild, tenantOf, type Walk } from "../../core/index.ts";

/** A copy of what a config says in which what is a credential does not show in JSON. */
export type Hidden = (said: unknown) => unknown;

/** A group as far as keys are concerned; made once, when a config is read. */
export interface StickyGroup {
  readonly path: string;
  readonly hashFields: readonly string[];
  /** What the config says of the children, as a digest: positions in a list that was changed mean something else. */
  readonly version: string;
  /** Laid below the metadata of requests while the group is walked. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function stickyGroup(
  { path, fields }: ConfigNode,
  hashFields: readonly string[],
  children: readonly RouteChild[],
  hidden: Hidden,
): StickyGroup {
  // Not the weights: shifting shares leaves callers where they are. Not the secrets: keys go to a shared cache.
  const said = children.map(({ node }) => saidOf(node, hidden));
  const { metadata } = fields;
  return {
    path,
    hashFields,
    version: createHash("sha256").update(JSON.stringify(said)).digest("base64"),
    metadata: typeof metadata === "object" && metadata !== null ? { ...metadata } : {},
  };
}

/** What the config says of a child; of a group also what stands in it, since it may say nothing itself. */
const saidOf = ({ name, fields, targets }: ConfigNode, hidden: Hidden): unknown[] => [
  name,
  hidden(fields),
  ...(targets ? [targets.map((one) => saidOf(one, hidden))] : []),
];

/**
 * Who this request comes from, as far as the fields tell, at this group of this config; undefined when none of the
 * fields has a value. A digest, so that what callers write is not kept.
 */
export function stickyKey(group: StickyGroup, walk: Pick<Walk, "exchange" | "config">): string | undefined {
  const { exchange, config } = walk;
  const values = group.hashFields.map((field) => fieldOf(field, exchange, group));
  if (values.every((value) => value === undefined)) return undefined;
  const { principal } = exchange;
  const place = [principal && tenantOf(principal), config, group.version, group.path];
  // JSON keeps parts apart, whatever characters they are made of.
  return createHash("sha256")
    .update(JSON.stringify([place, group.hashFields, values.map((value) => value ?? "")]))
    .digest("base64");
}

/** Whether a field can have no value in any request, as `user` has none: it would be `params.user`. */
export const namesNothing = (field: string): boolean => !/^(?:metadata|params)\../s.test(field);

/** `metadata.thread`, `params.user`. Below metadata, a key may have dots in it. */
function fieldOf(field: string, exchange: Exchange, { metadata }: StickyGroup): string | undefined {
  const dot = field.indexOf(".");
  const key = field.slice(dot + 1);
  switch (field.slice(0, dot)) {
    case "metadata":
      return textOf(exchange.metadata, key) ?? textOf(metadata, key);
    case "params":
      return textOf(bodyOf(exchange), key);
    default:
      return undefined;
  }
}

function textOf(values: object, key: string): string | undefined {
  const value: unknown = Object.hasOwn(values, key) ? values[key as keyof typeof values] : undefined;
  return value === null || value === undefined || typeof value === "object" ? undefined : String(value);
}

/** The client's JSON body; a body that is not one has no fields. */
function bodyOf({ request }: Exchange): object {
  try {
    const json = request?.json;
    return typeof json === "object" && json !== null ? json : {};
  } catch {
    return {};
  }
}
