import {
  type CommonOptions,
  defineProvider,
  type EntraOptions,
  entraCredential,
  entraHeaders,
  entraLacks,
  entraMachineValues,
  entraOptions,
  entraTenantOptions,
  entraToken,
  type Headers,
  z,
} from "../../core/provider-kit/index.ts";
import { messagesPath, operationsOf } from "./operations.ts";
import { beside, isAnthropic, type Place, placeOptions, realtimePath, urlOf, withVersion } from "./place.ts";

const name = "azure-ai";

type Shown = Place & EntraOptions & Pick<CommonOptions, "apiKey">;

/** The headers that hold the key, or one's own token. */
function credentialOf(options: Shown): Headers | undefined {
  const { apiKey } = options;
  const token = entraToken(options);
  if (token || !apiKey) return token;
  const key = apiKey.reveal();
  // What makers of models serve at a resource knows keys by one of the two names, and some by that one only.
  return isAnthropic(options) ? { "x-api-key": key } : { authorization: `Bearer ${key}`, "api-key": key };
}

export default defineProvider({
  name,
  summary: "Azure AI Foundry: models of many makers, Claude among them, below a URL of one's own.",
  baseUrl: (options) => urlOf(options),
  options: z.strictObject({
    ...placeOptions,
    apiVersion: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
      .exactOptional()
      .describe("Sent as api-version, where the URL wants one."),
    deploymentName: z.string().exactOptional().describe("Sent as azureml-model-deployment."),
    extraParameters: z
      .string()
      .default("drop")
      .describe("What becomes of fields the model does not know: drop, pass-through or error."),
    responsesProxy: z
      .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
      .default(false)
      .describe(
        "Whether the vendor's own Responses API is asked, instead of chat; models that are there by it alone (Codex, o3-pro) always are.",
      ),
    anthropicVersion: z.string().default("2023-06-01").describe("Sent as anthropic-version, to Claude."),
    anthropicBeta: z.string().exactOptional().describe("Sent as anthropic-beta, to Claude."),
    ...entraOptions,
  }),
  headerOptions: {
    baseUrl: "azure-foundry-url",
    endpointName: "azure-endpoint-name",
    region: "azure-region",
    deploymentType: "azure-deployment-type",
    apiVersion: "azure-api-version",
    deploymentName: "azure-deployment-name",
    extraParameters: "azure-extra-params",
    responsesProxy: "provider-responses-proxy",
    anthropicVersion: "anthropic-version",
    anthropicBeta: "anthropic-beta",
    ...entraHeaders,
  },
  configFields: { extraParameters: ["azure_extra_parameters"] },
  tenantOptions: ["endpointName", "region", ...entraTenantOptions],
  machineValues: entraMachineValues,
  lacks: (options) =>
    urlOf(options) === ""
      ? "its Foundry URL (baseUrl in the config file, azure-foundry-url), or endpointName and region"
      : options.apiKey || options.adToken
        ? undefined
        : entraLacks(options),
  authenticate: (options) => {
    const { deploymentName, extraParameters, anthropicVersion, anthropicBeta } = options;
    const more: Headers = isAnthropic(options)
      ? {
          "anthropic-version": anthropicVersion,
          ...(anthropicBeta !== undefined && { "anthropic-beta": anthropicBeta }),
        }
      : {
          "extra-parameters": extraParameters,
          ...(deploymentName !== undefined && { "azureml-model-deployment": deploymentName }),
        };
    const fetched = entraCredential(name, options);
    if (fetched) return async () => Object.assign({}, await fetched(), more);
    const shown = credentialOf(options);
    return shown && { ...shown, ...more };
  },
  forwards: ["anthropic-version", "anthropic-beta"],
  operations: operationsOf,
  sockets: (options) => (isAnthropic(options) ? {} : { realtime: realtimePath(options) }),
  proxyPath(path, options) {
    // Files and batches belong to the resource, not to its models.
    if (/^\/(?:files|batches)(?=[/?]|$)/.test(path))
      return withVersion(beside(options, `/openai${path}`), options.apiVersion);
    return isAnthropic(options) ? messagesPath(options, path) : withVersion(path, options.apiVersion);
  },
});
