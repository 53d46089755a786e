import { type Exchange, GatewayError, type ProviderRegistry } from "../../core/index.ts";
import type { ModelRule } from "./patterns.ts";

/** Which provider a request goes to, and under which model. */
export interface Choice {
  readonly name: string;
  /** The model without the provider in front of it; absent when the request's own is right. */
  readonly model?: string;
  /** The caller named the provider in a header: the credential it sent is meant for it, in place of a stored one. */
  readonly named: boolean;
}

type Providers = Pick<ProviderRegistry, "configured" | "knows">;

/**
 * In this order (inference-api.md section 2.3): the virtual key header, a stored provider in the provider header, a
 * stored provider in front of the model (`@slug/model`), a plain name in the header, a name in front of the model, the
 * rules of the config file, its default.
 */
export function selectProvider(
  exchange: Exchange,
  providers: Providers,
  rules: readonly ModelRule[],
  rest: readonly string[],
): Choice | undefined {
  if (exchange.gatewayHeaders.get("config") !== undefined)
    throw new GatewayError(
      "config_invalid",
      "No plugin of this deployment reads routing configs: leave the config header out.",
      {
        param: "config",
      },
    );
  const model = exchange.request?.model;
  const header = headerChoice(exchange, providers);
  if (!header && exchange.endpoint.operation && !exchange.request)
    throw new GatewayError(
      "invalid_request",
      "In nitro mode the body is not read: name the provider in the provider header.",
      {
        param: "nitro-mode",
      },
    );
  const stored = model?.startsWith("@") ? split(model.slice(1)) : undefined;
  if (header && (header.stored || !stored)) {
    const own = stored ? stored.rest : model;
    return choice(header.name, own ?? header.model, model, !header.stored);
  }
  if (stored) return choice(storedSlug(stored.name, providers), stored.rest, model, false);
  const prefix = model === undefined ? undefined : split(model);
  if (prefix && providers.knows(prefix.name)) return choice(prefix.name, prefix.rest, model, false);
  if (exchange.gatewayHeaders.get("custom-host") !== undefined) return undefined;
  const listed = (model !== undefined && rules.find((rule) => rule.matches(model))?.providers) || rest;
  const usable = listed.find((name) => providers.configured(name)?.usable) ?? listed[0];
  return usable === undefined ? undefined : { name: usable, named: false };
}

interface HeaderChoice {
  readonly name: string;
  readonly model?: string;
  /** `@slug` or a virtual key: a provider of the config file, with its own credential. */
  readonly stored: boolean;
}

function headerChoice({ gatewayHeaders }: Exchange, providers: Providers): HeaderChoice | undefined {
  const virtualKey = gatewayHeaders.get("virtual-key");
  if (virtualKey) return { name: storedSlug(virtualKey.replace(/^@/, ""), providers), stored: true };
  const named = gatewayHeaders.get("provider") ?? gatewayHeaders.get("mode")?.match(/^proxy\s+(\S+)$/)?.[1];
  if (!named) return undefined;
  if (!named.startsWith("@")) return { name: named, stored: false };
  const parts = split(named.slice(1));
  if (!parts) return { name: storedSlug(named.slice(1), providers), stored: true };
  return { name: storedSlug(parts.name, providers), model: parts.rest, stored: true };
}

function storedSlug(slug: string, providers: Providers): string {
  if (providers.configured(slug)) return slug;
  throw new GatewayError(
    "provider_unknown",
    `There is no stored provider "@${slug}": the config file has none of that slug.`,
  );
}

/** `name/rest`, at the first slash. */
function split(text: string): { name: string; rest: string } | undefined {
  const slash = text.indexOf("/");
  return slash <= 0 || slash === text.length - 1
    ? undefined
    : { name: text.slice(0, slash), rest: text.slice(slash + 1) };
}

const choice = (name: string, model: string | undefined, asked: string | undefined, named: boolean): Choice => ({
  name,
  named,
  ...(model !== undefined && model !== asked && { model }),
});
