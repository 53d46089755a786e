import { definePlugin, Management, Records, z } from "../../core/index.ts";
import { manageDeployments } from "./deployments.ts";

export default definePlugin({
  name: "deployments",
  summary: "Keeps which gateways there are, and for whom.",
  options: z.strictObject({}),
  needs: [Management, Records],
  setup({ service, providers }) {
    manageDeployments(service(Management), service(Records), (url) => providers.acceptsHost(url, true));
  },
});
