import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "meshy",
  summary: "Meshy: models of things in three dimensions, below /v1/proxy/.",
  baseUrl: "https://api.meshy.ai/openapi",
  operations: {},
  // Each part of the API has a version of its own; text-to-3d is at its second.
  proxyPath: (path) => (/^\/v\d\//.test(path) ? path : `${path.startsWith("/text-to-3d") ? "/v2" : "/v1"}${path}`),
});
