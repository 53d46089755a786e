import { defineProvider, isRecord, keyHeader, modelsByToken, type RawAsked } from "../core/provider-kit/index.ts";

type Wire = Readonly<Record<string, unknown>>;

/** The vendor's tools that it runs itself. Of `computerUse` the client is told what to do, as of a function. */
const ownTools = ["googleSearch", "googleSearchRetrieval", "googleMaps", "urlContext", "codeExecution", "fileSearch"];

/**
 * Beside functions, tools of the vendor's want to be allowed ("Please enable tool_config.include_server_side_tool_invocations to
 * use Built-in tools with Function calling"), and a model may do without calls in one mode only. Vertex AI knows neither.
 * https://ai.google.dev/gemini-api/docs/generate-content/tool-combination
 */
function withOwnTools(wire: Wire): Wire {
  const tools = Array.isArray(wire.tools) ? wire.tools.filter(isRecord) : [];
  const declares = tools.some(({ functionDeclarations: all }) => Array.isArray(all) && all.length > 0);
  const config = isRecord(wire.toolConfig) ? wire.toolConfig : {};
  if (!declares || !tools.some((tool) => ownTools.some((name) => name in tool))) return wire;
  if (config.includeServerSideToolInvocations !== undefined) return wire;
  const calling = config.functionCallingConfig;
  const optional = isRecord(calling) && calling.mode === "AUTO";
  return {
    ...wire,
    toolConfig: {
      ...config,
      ...(optional && { functionCallingConfig: { ...calling, mode: "VALIDATED" } }),
      includeServerSideToolInvocations: true,
    },
  };
}

/** Google's SDK asks at `/v1` from its third version on; others whom the gateway serves there know nothing of the vendor's versions. */
const meansVersion = (asked: RawAsked | undefined): boolean =>
  asked?.headers["x-goog-api-key"] !== undefined && /^\/v1\/(?!proxy\/)/.test(asked.url);

export default defineProvider({
  name: "google",
  summary: "Google: Gemini models, by the Gemini API.",
  // The version is part of the paths: some models are served by a preview of the API only.
  baseUrl: "https://generativelanguage.googleapis.com",
  // The vendor takes the key in the query, too, where logs and proxies would keep it.
  authenticate: keyHeader("x-goog-api-key"),
  operations: {
    // Labels are for bills, which the vendor's cloud writes by another provider.
    chat: {
      format: "gemini",
      drops: ["labels"],
      rewrite: { when: ownTools.map((name) => `"${name}"`), apply: (wire) => ({ ...withOwnTools(wire) }) },
    },
    count: "gemini-count-tokens",
    embed: ["gemini-embeddings", "gemini-batch-embeddings"],
  },
  // An operation that tells what was made, and not how long it is: that was asked for, 8 seconds where nothing was (ai.google.dev, "Veo").
  videos: {
    begun: /\/models\/[^/]+:predictLongRunning$/,
    told: /^(?:\/models\/[^/]+)?\/operations\/([^/]+)$/,
    id: ["name"],
    over: [["done", true]],
    made: ["response.generateVideoResponse.generatedSamples"],
    askedSeconds: ["parameters.durationSeconds"],
    usualSeconds: 8,
    askedResolution: ["parameters.resolution", "parameters.aspectRatio"],
  },
  listModels: modelsByToken({ said: "nextPageToken", asked: "pageToken", length: "pageSize" }),
  // Raw paths name no version where the gateway's own was in front of them, which is the vendor's to its own clients.
  proxyPath: (path, _options, asked) =>
    /^\/(?:(?:up|down)load\/)?v\d\w*\//.test(path) ? path : `${meansVersion(asked) ? "/v1" : "/v1beta"}${path}`,
});
