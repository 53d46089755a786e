import { type Exchange, GatewayError, type GatewayRequest, type ProviderRegistry } from "../../../core/index.ts";
import { type NameInFront, slugIn, split } from "../model-names.ts";
import type { ModelRule } from "./patterns.ts";

/** Which provider a request goes to, and under which model. */
export interface Choice {
  /** `@slug` for a stored one. */
  readonly name: string;
  /** The model without the provider in front of it; absent when the request's own is right. */
  readonly model?: string;
  /** The caller named the provider in a header: the credential it sent is meant for it, in place of a stored one. */
  readonly named: boolean;
  readonly why: string;
  /** Nobody who calls now has named it: it was saved with the request. */
  readonly saved?: true;
  /** It is not the caller's: one of that name would be another one. */
  readonly elsewhere?: true;
}

export interface SelectorInput {
  readonly providers: Pick<ProviderRegistry, "configured" | "knows">;
  readonly rules: readonly ModelRule[];
  /** Where all other requests go: the first of them with a credential. */
  readonly rest: readonly string[];
  /** Only providers of the file may be named. */
  readonly savedOnly: boolean;
}

/** What of a request says whom it was saved for. */
export type SavedRequest = Pick<GatewayRequest, "model" | "origin" | "formType">;

/** Finds a request's provider where no config does. */
export interface Selector {
  /**
   * In this order (inference-api.md section 2.3): the virtual key header, a stored provider in the provider header, a
   * stored provider in front of the model (`@slug/model`), a plain name in the header, the provider saved with the request,
   * a name in front of the model.
   */
  named(exchange: Exchange, request?: GatewayRequest): Choice | undefined;
  /** Of a request that was saved: a stored provider in front of its model, the provider saved with it. */
  saved(request: SavedRequest | undefined): Choice | undefined;
  /** A name in front of the model, the rules of the config file, its default. */
  byModel(model: string | undefined, exchange: Exchange, request?: GatewayRequest): Choice | undefined;
}

export function selector({ providers, rules, rest, savedOnly }: SelectorInput): Selector {
  const prefixed = (model: string | undefined): Choice | undefined => {
    if (model === undefined) return undefined;
    // A request's own is looked for earlier: this is the default model of a config.
    const stored = slugIn(model);
    if (stored) return choice(`@${stored.name}`, stored.rest, model, false, "named in front of the model");
    const prefix = split(model);
    const known = prefix && (savedOnly ? providers.configured(prefix.name) : providers.knows(prefix.name));
    return known ? choice(prefix.name, prefix.rest, model, false, "named in front of the model") : undefined;
  };
  const saved = (request: SavedRequest | undefined): Choice | undefined => {
    const model = request?.model;
    const stored = storedIn(request);
    if (stored) return choice(`@${stored.name}`, stored.rest, model, false, "named in front of the model");
    const slug = request?.origin?.provider;
    if (slug === undefined) return undefined;
    const found = choice(`@${slug.replace(/^@/, "")}`, model, model, false, "saved with the request");
    return { ...found, saved: true, ...(request?.origin?.elsewhere && { elsewhere: true }) };
  };
  /** Whether who is named gets bodies as they come: a slug in front of the model is a name it may know itself (section 22.4). */
  const isUntouched = ({ name }: HeaderChoice): boolean =>
    name === "passthrough" || providers.configured(name.replace(/^@/, ""))?.raw === true;
  return {
    named(exchange, request = exchange.request) {
      const model = request?.model;
      const header = headerChoice(exchange);
      if (!header && exchange.endpoint.operation && !request) throw unreadable();
      const stored = storedIn(request);
      const untouched = header !== undefined && stored !== undefined && isUntouched(header);
      if (header && (header.stored || !stored || untouched)) {
        const own = stored && !untouched ? stored.rest : model;
        return choice(header.name, own ?? header.model, model, !header.stored, header.why);
      }
      return saved(request) ?? (isForm(request) ? undefined : prefixed(model));
    },
    saved,
    byModel(model, exchange, request = exchange.request) {
      const asked = isForm(request) && model === request?.model;
      const named = asked ? undefined : prefixed(model);
      if (named) return named;
      if (exchange.gatewayHeaders.get("custom-host") !== undefined) return undefined;
      const rule = model === undefined ? undefined : rules.find((one) => one.matches(model));
      const listed = rule?.providers ?? rest;
      const usable = listed.find((name) => providers.configured(name)?.usable) ?? listed[0];
      if (usable === undefined) return undefined;
      return { name: usable, named: false, why: rule ? "by a rule for the model" : "the default" };
    },
  };
}

/** In a form a model is the vendor's name of it, slashes and all (inference-api.md section 13). */
const isForm = (request: Pick<GatewayRequest, "formType"> | undefined): boolean => request?.formType !== undefined;

/** `@slug/model`, taken apart. */
const storedIn = (request: SavedRequest | undefined): NameInFront | undefined =>
  request?.model === undefined || isForm(request) ? undefined : slugIn(request.model);

const unreadable = () =>
  new GatewayError("invalid_request", "In nitro mode the body is not read: name the provider in the provider header.", {
    param: "nitro-mode",
  });

interface HeaderChoice {
  readonly name: string;
  readonly model?: string;
  /** `@slug` or a virtual key: a provider with a credential of its own. */
  readonly stored: boolean;
  readonly why: string;
}

/** The plain or stored provider a header names, in any of the ways there are. */
export const providerHeader = ({ gatewayHeaders }: Pick<Exchange, "gatewayHeaders">): string | undefined =>
  gatewayHeaders.get("provider") ?? gatewayHeaders.get("mode")?.match(/^proxy\s+(\S+)$/)?.[1];

function headerChoice(exchange: Exchange): HeaderChoice | undefined {
  const virtualKey = exchange.gatewayHeaders.get("virtual-key");
  if (virtualKey)
    return { name: `@${virtualKey.replace(/^@/, "")}`, stored: true, why: "named in the virtual key header" };
  const named = providerHeader(exchange);
  if (!named) return undefined;
  const why = "named in the provider header";
  if (!named.startsWith("@")) return { name: named, stored: false, why };
  const parts = split(named);
  return parts ? { name: parts.name, model: parts.rest, stored: true, why } : { name: named, stored: true, why };
}

const choice = (
  name: string,
  model: string | undefined,
  asked: string | undefined,
  named: boolean,
  why: string,
): Choice => ({ name, named, why, ...(model !== undefined && model !== asked && { model }) });
