import {
  defineProvider,
  entraCredential,
  entraHeaders,
  entraLacks,
  entraMachineValues,
  entraOptions,
  entraTenantOptions,
  entraToken,
  refusedIn,
  z,
} from "../../core/provider-kit/index.ts";
import { deploymentOptions, modelBehind } from "./deployments.ts";
import { kept } from "./kept.ts";
import { mediaOf } from "./media.ts";
import { callPath, deploymentName, deploymentNameInV1, rawPath, realtimePath, responsesPath } from "./paths.ts";

const name = "azure-openai";
const isRefused = refusedIn("openai-chat");

export default defineProvider({
  name,
  summary: "Azure OpenAI: OpenAI's models in deployments of one's own.",
  baseUrl: ({ resourceName }) => `https://${resourceName}.openai.azure.com/openai`,
  options: z.strictObject({
    // A caller may name the resource in a header: whatever it is, the key goes to a host of the vendor.
    resourceName: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/, { error: "the name of a resource" })
      .exactOptional()
      .describe(
        "The resource, as in its address. Not needed beside a baseUrl, which ends in /openai, or where all versions are v1 in /openai/v1.",
      ),
    ...deploymentOptions,
    modelName: z.string().exactOptional().describe("The model behind the deployment, where its name says nothing."),
    beta: z.string().exactOptional().describe("Sent as OpenAI-Beta; a client's own header wins."),
    ...entraOptions,
  }),
  headerOptions: {
    resourceName: "azure-resource-name",
    deploymentId: "azure-deployment-id",
    apiVersion: "azure-api-version",
    modelName: "azure-model-name",
    beta: "openai-beta",
    ...entraHeaders,
  },
  configFields: {
    resourceName: ["resource_name"],
    deploymentId: ["deployment_id"],
    apiVersion: ["api_version"],
    deployments: ["deployments", "azure_deployment_config"],
  },
  tenantOptions: ["resourceName", ...entraTenantOptions],
  machineValues: entraMachineValues,
  lacks: (options) =>
    options.resourceName === undefined && options.baseUrl === undefined
      ? "resourceName (azure-resource-name)"
      : options.apiKey || options.adToken
        ? undefined
        : entraLacks(options),
  authenticate: (options) => {
    const { apiKey, beta } = options;
    const more = beta === undefined ? {} : { "openai-beta": beta };
    const fetched = entraCredential(name, options);
    if (fetched) return async () => Object.assign({}, await fetched(), more);
    const shown = entraToken(options) ?? (apiKey && { "api-key": apiKey.reveal() });
    return shown && { ...shown, ...more };
  },
  forwards: ["openai-beta"],
  modelBehind,
  operations: (options) => ({
    chat: [
      {
        format: "openai-chat",
        exact: true,
        most: { stop: 4 },
        path: callPath(options, "/chat/completions"),
        model: deploymentNameInV1(options),
      },
      {
        format: "openai-responses",
        exact: true,
        path: responsesPath(options),
        model: deploymentName(options),
        // As at OpenAI, whatever a deployment is called.
        firstFor: (model, request) => isRefused(modelBehind(model, options), request),
      },
    ],
    complete: {
      format: "openai-completions",
      path: callPath(options, "/completions"),
      model: deploymentNameInV1(options),
    },
    embed: { format: "openai-embeddings", path: callPath(options, "/embeddings"), model: deploymentNameInV1(options) },
    ...mediaOf(options),
  }),
  procedures: kept,
  sockets: (options) => ({ realtime: realtimePath(options) }),
  proxyPath: rawPath,
});
