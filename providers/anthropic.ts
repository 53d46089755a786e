import { z } from "zod";
import { bearer, defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "anthropic",
  summary: "Anthropic: the Claude models.",
  baseUrl: "https://api.anthropic.com/v1",
  options: z.strictObject({
    version: z.string().default("2023-06-01").describe("Sent as anthropic-version; a client's own header wins."),
    beta: z.string().exactOptional().describe("Sent as anthropic-beta, comma-separated; a client's own header wins."),
  }),
  headerOptions: { version: "anthropic-version", beta: "anthropic-beta" },
  authenticate: ({ apiKey, version, beta }) => {
    if (!apiKey) return undefined;
    const key = apiKey.reveal();
    return {
      // OAuth tokens of subscriptions are not API keys: the vendor takes them as bearer tokens only.
      ...(key.startsWith("sk-ant-oat") ? bearer(apiKey) : { "x-api-key": key }),
      "anthropic-version": version,
      ...(beta !== undefined && { "anthropic-beta": beta }),
    };
  },
  forwards: ["anthropic-version", "anthropic-beta"],
  operations: {
    count: {
      format: "anthropic-count-tokens",
      bodyHeaders: { anthropic_version: "anthropic-version", anthropic_beta: "anthropic-beta" },
    },
    chat: {
      format: "anthropic-messages",
      path: "/messages",
      // Bodies written for re-hosted Claude carry these two; this vendor takes them as headers and refuses them as fields.
      bodyHeaders: { anthropic_version: "anthropic-version", anthropic_beta: "anthropic-beta" },
    },
  },
});
