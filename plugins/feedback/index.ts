import { definePlugin, Logs, Management, Records, z } from "../../core/index.ts";
import { manageFeedback } from "./feedback.ts";

export default definePlugin({
  name: "feedback",
  summary: "Keeps what people say of answers.",
  options: z.strictObject({}),
  needs: [Management, Records],
  uses: [Logs],
  setup({ service, offered, log }) {
    manageFeedback(service(Management), { records: service(Records), logs: offered(Logs), log });
  },
});
