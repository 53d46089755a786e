import { defineProvider, secret, z } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "scenario-ai",
  summary: "Scenario: pictures and models for games, below /v1/proxy/.",
  baseUrl: "https://api.cloud.scenario.com/v1",
  options: z.strictObject({
    secret: secret().exactOptional().describe("The API secret that belongs to the key."),
  }),
  headerOptions: { secret: "scenario-api-secret" },
  authenticate: ({ apiKey, secret: own }) =>
    apiKey && own && { authorization: `Basic ${Buffer.from(`${apiKey.reveal()}:${own.reveal()}`).toString("base64")}` },
  lacks: ({ apiKey, secret: own }) => (apiKey && !own ? "secret (scenario-api-secret)" : undefined),
  operations: {},
});
