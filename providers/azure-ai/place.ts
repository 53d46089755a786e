import { z } from "../../core/provider-kit/index.ts";

const label = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/, { error: "letters, digits and hyphens" });

/** Older deployments are told by name and region instead of their URL. */
export const placeOptions = {
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .exactOptional()
    .describe("The Foundry URL, such as https://RESOURCE.services.ai.azure.com/models."),
  endpointName: label.exactOptional().describe("Name of a serverless or managed endpoint, instead of its URL."),
  region: label.exactOptional().describe("Region of that endpoint."),
  deploymentType: z.enum(["serverless", "managed"]).default("serverless").describe("What that endpoint is."),
};

export type Place = z.output<z.ZodObject<typeof placeOptions>>;

/** The URL paths are below (providers.md section 11); empty where nothing says it. */
export function urlOf({ baseUrl, endpointName, region, deploymentType }: Place): string {
  if (baseUrl !== undefined) return baseUrl;
  if (endpointName === undefined || region === undefined) return "";
  return deploymentType === "managed"
    ? `https://${endpointName}.${region}.inference.ml.azure.com/score`
    : `https://${endpointName}.${region}.models.ai.azure.com`;
}

/** What a resource serves beside its models is not below their URL. */
export const beside = (place: Place, path: string): string => {
  const url = urlOf(place);
  return URL.canParse(url) ? new URL(url).origin + path : path;
};

/** Claude is served below a URL of its own, by the API of its maker. */
export const isAnthropic = (place: Place): boolean => urlOf(place).includes("anthropic");

export const withVersion = (path: string, version: string | undefined): string =>
  version === undefined || /[?&]api-version=/.test(path)
    ? path
    : `${path}${path.includes("?") ? "&" : "?"}api-version=${version}`;

/** Where sockets are: their query is the client's, whose own version counts. */
export const realtimePath =
  ({ apiVersion }: { readonly apiVersion?: string }) =>
  (query: URLSearchParams): string => {
    if (apiVersion !== undefined && !query.has("api-version")) query.set("api-version", apiVersion);
    return "/realtime";
  };
