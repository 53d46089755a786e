import { z } from "zod";
import { bearer, defineProvider, imagesAsBytes, refusedIn } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "openai",
  summary:
    "OpenAI, and any server that speaks its API (vLLM, LocalAI, LM Studio, llama.cpp) below a base URL of its own.",
  baseUrl: "https://api.openai.com/v1",
  options: z.strictObject({
    organization: z.string().exactOptional().describe("Sent as OpenAI-Organization."),
    project: z.string().exactOptional().describe("Sent as OpenAI-Project."),
    beta: z.string().exactOptional().describe("Sent as OpenAI-Beta; a client's own header wins."),
  }),
  headerOptions: { organization: "openai-organization", project: "openai-project", beta: "openai-beta" },
  authenticate: ({ apiKey, organization, project, beta }) =>
    apiKey && {
      ...bearer(apiKey),
      ...(organization !== undefined && { "openai-organization": organization }),
      ...(project !== undefined && { "openai-project": project }),
      ...(beta !== undefined && { "openai-beta": beta }),
    },
  forwards: ["openai-beta"],
  sockets: { realtime: "/realtime" },
  operations: {
    chat: [
      { format: "openai-chat", path: "/chat/completions", exact: true, most: { stop: 4 } },
      { format: "openai-responses", exact: true, firstFor: refusedIn("openai-chat") },
    ],
    count: { format: "openai-input-tokens", exact: true },
    complete: "openai-completions",
    embed: "openai-embeddings",
    image: { format: "openai-images", rewrite: imagesAsBytes() },
    imageEdit: "openai-image-edits",
    imageVariation: "openai-image-variations",
    speech: "openai-speech",
    transcribe: "openai-transcriptions",
    translate: "openai-translations",
    moderate: "openai-moderations",
  },
});
