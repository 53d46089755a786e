import { Secret, secret, serviceAccountIn, z } from "../../core/provider-kit/index.ts";
import { storageOptions } from "./storage.ts";

/** JSON, as a text or as it stands in the file. What is in it is looked at when it is used. */
const json = (what: string) =>
  z
    .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
    .transform((text) => new Secret(text))
    .exactOptional()
    .describe(what);

const authTypes = ["basic", "serviceAccount", "workload", "apiKey"] as const;

export const vertexOptions = z.strictObject({
  apiKey: secret()
    .exactOptional()
    .describe(
      "An OAuth access token, for the authType basic, or a key, for apiKey. Absent: the caller brings it in Authorization.",
    ),
  // A caller may name the region in a header: whatever it is, the token goes to a host of the vendor.
  region: z
    .string()
    .regex(/^(?:global|us|eu|[a-z]+-[a-z]+\d{1,2})$/, { error: "a region such as us-central1, or global, us or eu" })
    .describe("Where the models run: us-central1, …, or global, us or eu."),
  projectId: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.:-]*$/, { error: "the id of a project" })
    .exactOptional()
    .describe("The project that is billed. A service account brings its own, and so does a key."),
  authType: z
    .enum(authTypes)
    .exactOptional()
    .describe(
      "Whose token is shown, or that apiKey is a key of Google Cloud: without a projectId, that of express mode. Absent: the " +
        "service account's token if there is one, else the one in apiKey.",
    ),
  serviceAccountJson: json("The key file of a service account, as text or as the JSON it is."),
  workloadIdentity: json(
    "Configuration of a workload identity federation, for the authType workload. Absent: GCP_WIF_AUDIENCE, or the " +
      "service account of this machine.",
  ),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://oauth2.googleapis.com/token")
    .describe("Where service accounts are given tokens."),
  ...storageOptions,
  skipCostLabels: z
    .boolean()
    .default(false)
    .describe("Whether the metadata of requests is kept from the labels of Gemini and embeddings calls."),
  skipProvisionedCost: z
    .boolean()
    .default(false)
    .describe(
      "Whether what provisioned throughput served costs nothing, as it is paid for as a whole; otherwise it costs what others do.",
    ),
  anthropicVersion: z.string().exactOptional().describe("Sent to Claude as anthropic_version."),
  anthropicBeta: z.string().exactOptional().describe("Sent to Claude as anthropic-beta; a client's own header wins."),
});

export type VertexOptions = z.output<typeof vertexOptions>;

/** How calls are authenticated, where nothing says it. */
export const authTypeOf = (options: VertexOptions): (typeof authTypes)[number] =>
  options.authType ?? (options.serviceAccountJson ? "serviceAccount" : "basic");

/** The project of the service account in use, else the configured one. It becomes part of a path. */
export function projectOf(options: VertexOptions): string | undefined {
  const own =
    authTypeOf(options) === "serviceAccount" ? serviceAccountIn(options.serviceAccountJson)?.projectId : undefined;
  return own !== undefined && vertexOptions.shape.projectId.safeParse(own).success ? own : options.projectId;
}

/**
 * A key alone: it says whose it is, and is for Google's own models at one host (cloud.google.com, "Vertex AI in express mode
 * REST API reference").
 */
export const isExpress = (options: VertexOptions): boolean =>
  authTypeOf(options) === "apiKey" && options.projectId === undefined;

/** What is missing, as it goes on after "needs". */
export function lacksIn(options: VertexOptions): string | undefined {
  if (authTypeOf(options) === "serviceAccount" && !serviceAccountIn(options.serviceAccountJson) && !options.apiKey)
    return "serviceAccountJson with client_email and private_key (vertex-service-account-json)";
  if (projectOf(options) === undefined && !isExpress(options))
    return "projectId (vertex-project-id), or a service account with one (vertex-service-account-json)";
  return undefined;
}
