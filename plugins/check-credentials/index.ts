import { definePlugin, Management, Records, Sealing, z } from "../../core/index.ts";
import { manageCredentials } from "./credentials.ts";

export default definePlugin({
  name: "check-credentials",
  summary: "Keeps the credentials of partners whose guardrail checks are used.",
  options: z.strictObject({}),
  needs: [Management, Records, Sealing],
  setup({ service }) {
    manageCredentials(service(Management), { records: service(Records), sealing: service(Sealing) });
  },
});
