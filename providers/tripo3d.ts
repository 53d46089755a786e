import { defineProvider } from "../core/provider-kit/index.ts";

export default defineProvider({
  name: "tripo3d",
  summary: "Tripo3D: models of things in three dimensions, below /v1/proxy/.",
  baseUrl: "https://api.tripo3d.ai/v2/openapi",
  operations: {},
});
