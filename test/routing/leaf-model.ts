import { guardsWithin } from "./guards.ts";
import type { Asked, Fields, Tree } from "./trees.ts";

/** What a node has of its own and of those above it (routing-config.md section 4), field by field. */
export function inherit(above: Tree, own: Tree): Tree {
  return {
    ...own,
    override_params: { ...above.override_params, ...own.override_params },
    default_params: { ...above.default_params, ...own.default_params },
    drop_params: [...new Set([...(above.drop_params ?? []), ...(own.drop_params ?? [])])],
    metadata: { ...above.metadata, ...own.metadata },
    ...nearest("retry", above, own),
    ...nearest("request_timeout", above, own),
    ...nearest("forward_headers", above, own),
    ...nearest("strict_open_ai_compliance", above, own),
    ...nearest("custom_host", above, own),
    ...nearest("cache", above, own),
    ...nearest("price", above, own),
    ...nearest("cb_config", above, withBreaker(own)),
    ...guardsWithin(above, own),
  };
}

/** A circuit may be said of a node in its strategy as well. */
const withBreaker = (own: Tree): Tree => {
  const cb_config = own.cb_config ?? own.strategy?.cb_config;
  return cb_config ? { ...own, cb_config } : own;
};

function nearest(name: keyof Tree, above: Tree, own: Tree): Tree {
  const value = own[name] ?? above[name];
  return value === undefined ? {} : { [name]: value };
}

/** Where a leaf goes (section 6.1), and the model that comes with that. */
export interface Whom {
  readonly slug: string;
  /** `openai_key` of whom: the file's, the leaf's, the caller's. */
  readonly key: string;
  /** Sets the model as an override of this leaf would. */
  readonly override?: string;
  /** The model where the request has none. */
  readonly fallback?: string;
}

const slugIn = (text: unknown): [string, string] | undefined => {
  const [, slug, model] = typeof text === "string" ? (/^@([^/]+)\/(.+)$/.exec(text) ?? []) : [];
  return slug === undefined || model === undefined ? undefined : [slug, model];
};

const keyOf = (slug: string): string => `${slug}-key-0123456789`;

/** `own` is the leaf as it is written, `leaf` with what is passed down to it. */
export function whomOf(own: Tree, leaf: Tree, { headers, body }: Asked): Whom | undefined {
  const { virtual_key, provider, passthrough, api_key } = own;
  if (virtual_key !== undefined) {
    const slug = virtual_key.replace(/^@/, "");
    return { slug, key: api_key ?? keyOf(slug) };
  }
  if (provider !== undefined) {
    const stored = slugIn(provider);
    const slug = stored?.[0] ?? provider.replace(/^@/, "");
    const override = stored && own.override_params?.model === undefined ? stored[1] : undefined;
    return { slug, key: api_key ?? keyOf(slug), ...(override !== undefined && { override }) };
  }
  const overriding = slugIn(leaf.override_params?.model);
  if (overriding && !passthrough) return { slug: overriding[0], key: keyOf(overriding[0]) };
  return byHeaders(headers, body, leaf, passthrough === true);
}

function byHeaders(headers: Asked["headers"], body: Fields, leaf: Tree, passthrough: boolean): Whom | undefined {
  const virtualKey = headers["x-gateway-virtual-key"];
  if (virtualKey !== undefined) {
    const slug = virtualKey.replace(/^@/, "");
    return { slug, key: keyOf(slug) };
  }
  const named = headers["x-gateway-provider"];
  const inModel = slugIn(body.model);
  if (named?.startsWith("@")) {
    const [slug, fallback] = slugIn(named) ?? [named.slice(1), undefined];
    return { slug, key: keyOf(slug), ...(fallback !== undefined && { fallback }) };
  }
  if (inModel) return { slug: inModel[0], key: keyOf(inModel[0]) };
  if (named !== undefined) return { slug: named, key: headers.authorization?.replace("Bearer ", "") ?? keyOf(named) };
  const inDefault = body.model === undefined && !passthrough ? slugIn(leaf.default_params?.model) : undefined;
  return inDefault ? { slug: inDefault[0], key: keyOf(inDefault[0]) } : undefined;
}

/** The body a leaf sends (section 5). */
export function bodyOf(leaf: Tree, { override, fallback }: Whom, body: Fields): Fields {
  const sent: Record<string, unknown> = { ...leaf.default_params, ...body };
  if (sent.model === undefined && fallback !== undefined) sent.model = fallback;
  const overrides = { ...leaf.override_params, ...(override !== undefined && { model: override }) };
  for (const [key, value] of Object.entries(overrides))
    sent[key] = key === "metadata" ? deeply(sent[key], value) : value;
  const shaped = structuredClone(sent);
  for (const path of leaf.drop_params ?? []) drop(shaped, path);
  const cleaned = slugIn(shaped.model);
  return cleaned ? { ...shaped, model: cleaned[1] } : shaped;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function deeply(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  const both: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) both[key] = deeply(under[key], value);
  return both;
}

/** Removes a path, where it leads somewhere. */
function drop(body: Record<string, unknown>, path: string): void {
  const steps = path.replace(/\[/g, ".[").split(".");
  const walk = (value: unknown, [first = "", ...rest]: readonly string[]): void => {
    if (Array.isArray(value)) {
      if (first === "[*]") {
        if (rest.length === 0) value.length = 0;
        else for (const one of value) walk(one, rest);
      }
      const index = /^\[(\d+)\]$/.exec(first)?.[1];
      if (index === undefined) return;
      if (rest.length === 0) value.splice(Number(index), 1);
      else walk(value[Number(index)], rest);
    } else if (isObject(value)) {
      if (rest.length === 0) delete (value as Record<string, unknown>)[first];
      else walk(value[first], rest);
    }
  };
  walk(body, steps);
}

/** Client headers that are sent on (section 14): those in the header, else the nearest list. */
export function forwardedOf({ forward_headers = [] }: Tree, { headers }: Asked): Readonly<Record<string, string>> {
  const asked = headers["x-gateway-forward-headers"];
  const list = asked === undefined ? forward_headers : (asked.match(/[\w-]+/g) ?? []);
  const sent: Record<string, string> = {};
  for (const one of list) {
    const { from, to } = typeof one === "string" ? { from: one, to: one } : one;
    const value = headers[from.toLowerCase()];
    if (value !== undefined) sent[to.toLowerCase()] = value;
  }
  return sent;
}

/** Whether the client is given what its API does not have: said anywhere it is so (inference-api.md section 6). */
export const isLenient = ({ strict_open_ai_compliance: strict }: Tree, { headers }: Asked): boolean =>
  strict === false || headers["x-gateway-strict-open-ai-compliance"]?.toLowerCase() === "false";

/** How long an attempt may keep silent. */
export function patienceOf({ request_timeout = 300_000 }: Tree, { headers }: Asked): number {
  const asked = Number(headers["x-gateway-request-timeout"]);
  return asked > 0 ? asked : request_timeout;
}
