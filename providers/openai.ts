import { z } from "zod";
import {
  bearer,
  defineProvider,
  imagesAsBytes,
  type OperationSpec,
  platformCredential,
  refusedIn,
} from "../core/provider-kit/index.ts";

const id = (what: string) => z.string().min(1).exactOptional().describe(what);

/** Workload identity federation (developers.openai.com, "Workload identity token exchange"): in place of a key. */
const federationOptions = {
  identityProviderId: id(
    "The identity provider by which the vendor trusts what the platform says of this machine, where no apiKey is given.",
  ),
  serviceAccountId: id("The service account that such a machine is."),
  identityTokenFile: id("The file in which the platform keeps its token for this machine."),
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .default("https://auth.openai.com/oauth/token")
    .describe("Where tokens of the vendor are had for it."),
};

/** The headers of a token that has to be fetched; undefined where no federation is configured. */
function fetchedCredential(options: z.output<z.ZodObject<typeof federationOptions>>) {
  const { identityProviderId, serviceAccountId, identityTokenFile, tokenUrl } = options;
  if (!identityProviderId || !serviceAccountId || !identityTokenFile) return undefined;
  return platformCredential({
    provider: "openai",
    check: "identityProviderId, serviceAccountId and what the provider expects of the platform's token",
    url: tokenUrl,
    file: identityTokenFile,
    option: "identityTokenFile",
    json: (token) => ({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: token,
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      identity_provider_id: identityProviderId,
      service_account_id: serviceAccountId,
    }),
  });
}

/** Whether a request leaves the model to a prompt of the vendor's. */
const asksByPrompt: NonNullable<OperationSpec["serves"]> = (model, _, request) =>
  model === "" && request?.keys?.has("prompt") === true;

/** Whether tokens are to be counted of what the vendor keeps, which may say the model (`InputTokenCountParams` of openai 6 needs none). */
const countsKept: NonNullable<OperationSpec["serves"]> = (model, _, request) =>
  model === "" && ["prompt", "conversation", "previous_response_id"].some((name) => request?.keys?.has(name) === true);

export default defineProvider({
  name: "openai",
  summary:
    "OpenAI, and any server that speaks its API (vLLM, LocalAI, LM Studio, llama.cpp) below a base URL of its own.",
  baseUrl: "https://api.openai.com/v1",
  options: z.strictObject({
    organization: z.string().exactOptional().describe("Sent as OpenAI-Organization."),
    project: z.string().exactOptional().describe("Sent as OpenAI-Project."),
    beta: z.string().exactOptional().describe("Sent as OpenAI-Beta; a client's own header wins."),
    ...federationOptions,
  }),
  headerOptions: { organization: "openai-organization", project: "openai-project", beta: "openai-beta" },
  machineOptions: ["identityProviderId", "identityTokenFile"],
  lacks: ({ apiKey, identityProviderId, serviceAccountId, identityTokenFile }) =>
    apiKey || !identityProviderId || (serviceAccountId && identityTokenFile)
      ? undefined
      : "serviceAccountId and identityTokenFile beside identityProviderId",
  authenticate: (options) => {
    const { apiKey, organization, project, beta } = options;
    const more = {
      ...(organization !== undefined && { "openai-organization": organization }),
      ...(project !== undefined && { "openai-project": project }),
      ...(beta !== undefined && { "openai-beta": beta }),
    };
    if (apiKey) return { ...bearer(apiKey), ...more };
    const fetched = fetchedCredential(options);
    return fetched && (async () => ({ ...(await fetched()), ...more }));
  },
  forwards: ["openai-beta"],
  sockets: { realtime: "/realtime" },
  operations: {
    chat: [
      { format: "openai-chat", path: "/chat/completions", exact: true, most: { stop: 4 } },
      // A prompt that is kept there may have a model of its own (`model` in `ResponseCreateParamsBase` of openai 6).
      { format: "openai-responses", exact: true, defaultModel: "", serves: asksByPrompt },
      { format: "openai-responses", exact: true, firstFor: refusedIn("openai-chat") },
    ],
    count: [
      { format: "openai-input-tokens", exact: true, defaultModel: "", serves: countsKept },
      { format: "openai-input-tokens", exact: true },
    ],
    complete: "openai-completions",
    embed: "openai-embeddings",
    image: { format: "openai-images", rewrite: imagesAsBytes() },
    imageEdit: [
      "openai-image-edits",
      // "DALL-E edits require multipart" (OpenAI's OpenAPI, `EditImageBodyJsonParam`).
      { format: "openai-image-edits-json", serves: (model) => !model.startsWith("dall-e") },
    ],
    imageVariation: "openai-image-variations",
    speech: "openai-speech",
    transcribe: "openai-transcriptions",
    translate: "openai-translations",
    moderate: "openai-moderations",
  },
});
