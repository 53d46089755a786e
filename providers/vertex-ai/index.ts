import { bearer, defineProvider, type ErrorDetail, type Headers } from "../../core/provider-kit/index.ts";
import { batchProcedures } from "./batches.ts";
import { betas } from "./claude.ts";
import { fetchedCredential } from "./credential.ts";
import { fileProcedures } from "./files.ts";
import { operationsOf, prefixOf } from "./operations.ts";
import { authTypeOf, isExpress, lacksIn, vertexOptions } from "./options.ts";
import { tierHeader, tierOf } from "./tiers.ts";
import { tuningProcedures } from "./tuning.ts";

/** The host of a region (providers.md section 8.1). */
function hostOf(region: string): string {
  if (region === "global") return "https://aiplatform.googleapis.com";
  if (region === "us" || region === "eu") return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
}

type Wire = Readonly<Record<string, unknown>>;

/** `{error: {code, message, status, details}}`, alone or in a list; other publishers' errors are read by their formats. */
function readError(_status: number, wire: unknown): ErrorDetail | undefined {
  const { error } = ((Array.isArray(wire) ? wire[0] : wire) ?? {}) as Wire;
  const { code, message, status, details } = (error ?? {}) as Wire;
  if (typeof message !== "string" || typeof status !== "string") return undefined;
  return {
    message,
    type: status,
    ...(code !== undefined && { code: String(code) }),
    ...(Array.isArray(details) && { details }),
  };
}

export default defineProvider({
  name: "vertex-ai",
  summary: "Google Vertex AI: Gemini, Claude, Mistral, Llama and models one deploys oneself.",
  // The version is part of the paths: two of them are in use.
  baseUrl: (options) => hostOf(isExpress(options) ? "global" : options.region),
  options: vertexOptions,
  headerOptions: {
    region: "vertex-region",
    projectId: "vertex-project-id",
    authType: "vertex-auth-type",
    serviceAccountJson: "vertex-service-account-json",
    storageBucketName: "vertex-storage-bucket-name",
    fileName: "provider-file-name",
    fileModel: "provider-model",
    batchEndpoint: "provider-batch-endpoint",
    anthropicVersion: "anthropic-version",
    anthropicBeta: "anthropic-beta",
  },
  storedFields: { skipProvisionedCost: ["vertex_skip_ptu_cost_attribution"] },
  // A region is no tenant: one that a request gives wins over the stored one, with the stored credential.
  tenantOptions: ["projectId"],
  machineValues: { authType: ["workload"] },
  lacks: lacksIn,
  authenticate: (options) => {
    const { apiKey, anthropicBeta } = options;
    const more: Headers = anthropicBeta === undefined ? {} : { "anthropic-beta": anthropicBeta };
    const fetched = fetchedCredential(options);
    if (fetched) return async () => Object.assign({}, await fetched(), more);
    const shown = apiKey && (authTypeOf(options) === "apiKey" ? { "x-goog-api-key": apiKey.reveal() } : bearer(apiKey));
    return shown && { ...shown, ...more };
  },
  forwards: ["anthropic-beta", "x-vertex-ai-llm-request-type", tierHeader],
  headerFilters: { "anthropic-beta": betas, [tierHeader]: tierOf },
  paidTiers: ({ skipProvisionedCost }) => (skipProvisionedCost ? ["provisioned"] : []),
  operations: operationsOf,
  procedures: (options) => ({
    ...fileProcedures(options),
    ...batchProcedures(options),
    ...tuningProcedures(options),
  }),
  // An operation, which is asked for by a POST, that tells what was made, and not how long it is: that was asked for, 8 seconds where nothing was.
  videos: {
    begun: /\/models\/[^/]+:predictLongRunning$/,
    told: /\/models\/[^/]+:fetchPredictOperation$/,
    id: ["name"],
    askedId: ["operationName"],
    over: [["done", true]],
    made: ["response.videos", "response.generatedSamples"],
    askedSeconds: ["parameters.durationSeconds"],
    usualSeconds: 8,
    askedResolution: ["parameters.resolution", "parameters.aspectRatio"],
  },
  readError,
  /** Paths of the vendor's own clients are below a project already, and lose their version on the way. */
  proxyPath(path, options) {
    if (/^\/v\d\w*\//.test(path)) return path;
    return path.startsWith("/projects/") ? `/v1${path}` : prefixOf(options) + path;
  },
});
