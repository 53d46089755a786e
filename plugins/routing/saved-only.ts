import {
  type ErrorCode,
  type Exchange,
  GatewayError,
  type OrganisationFacts,
  type OrganisationsService,
  ownProviderName,
  storeDown,
} from "../../core/index.ts";
import { providerHeader } from "./walk/select-provider.ts";

/**
 * For whom only what was saved may route: for everybody where the file says so, else for those whose organisation or
 * workspace does (operations.md section 7). A promise only where their settings have to be read first.
 */
export function savedOnlyRule(
  always: boolean,
  organisations: Pick<OrganisationsService, "settings"> | undefined,
): (exchange: Exchange) => boolean | Promise<boolean> {
  return ({ principal }) => {
    if (always || principal?.organisation === undefined || !organisations) return always;
    const settings = organisations.settings(principal.organisation, principal.workspace);
    return settings instanceof Promise ? settings.then(isBlocked, storeDown) : isBlocked(settings);
  };
}

const isBlocked = ({ blockInlineConfig }: OrganisationFacts): boolean => blockInlineConfig;

/** Headers with which a caller chooses the address of a provider, or the part of it that is the customer's. */
const addressHeaders = [
  ...["huggingface-base-url", "azure-foundry-url", "databricks-workspace"],
  ...["azure-resource-name", "azure-endpoint-name", "snowflake-account", "oracle-region"],
];

type Refusal = readonly [header: string, code: ErrorCode, remedy: string];

/**
 * Where only what the operator saved may route, refuses what a caller brings of its own (routing-config.md section 1.5).
 * The first violation counts.
 */
export function refuseUnsaved(exchange: Exchange): void {
  const found = violation(exchange);
  if (!found) return;
  const [header, code, message] = found;
  throw new GatewayError(code, message, { field: exchange.gatewayHeaders.nameOf(header) });
}

/** What the gateway keeps itself goes nowhere. */
const isOwn = (provider: string, { endpoint }: Exchange): boolean =>
  endpoint.procedure !== undefined && provider.toLowerCase() === ownProviderName;

function violation(exchange: Exchange): Refusal | undefined {
  const { gatewayHeaders } = exchange;
  if (gatewayHeaders.get("config")?.startsWith("{"))
    return ["config", "inline_config_blocked", "Name a saved config by its slug"];
  const provider = providerHeader(exchange);
  if (provider !== undefined && !provider.startsWith("@") && !isOwn(provider, exchange))
    return [
      gatewayHeaders.get("provider") === undefined ? "mode" : "provider",
      "inline_provider_blocked",
      "Name a saved provider with @slug",
    ];
  if (gatewayHeaders.get("custom-host") !== undefined)
    return ["custom-host", "inline_custom_host_blocked", "Hosts are set by saved providers and configs"];
  const address = addressHeaders.find((header) => gatewayHeaders.get(header) !== undefined);
  if (address) return [address, "inline_provider_url_blocked", "Addresses are set by saved providers and configs"];
  if (gatewayHeaders.get("forward-headers") !== undefined)
    return [
      "forward-headers",
      "inline_forward_headers_blocked",
      "Forwarded headers are set by saved providers and configs",
    ];
  return undefined;
}
