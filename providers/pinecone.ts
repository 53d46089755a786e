import { z } from "zod";
import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "pinecone",
  summary: "Pinecone: hosted rerankers.",
  baseUrl: "https://api.pinecone.io",
  options: z.strictObject({
    version: z.string().default("2025-04").describe("Sent as x-pinecone-api-version; a client's own header wins."),
  }),
  authenticate: ({ apiKey, version }) => apiKey && { "api-key": apiKey.reveal(), "x-pinecone-api-version": version },
  forwards: ["x-pinecone-api-version"],
  operations: { rerank: "pinecone-rerank" },
});
