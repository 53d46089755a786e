import { definePlugin, Management, Records, z } from "../../core/index.ts";
import { manageFeedback } from "./feedback.ts";

export default definePlugin({
  name: "feedback",
  summary: "Keeps what people say of answers.",
  options: z.strictObject({}),
  needs: [Management, Records],
  setup({ service }) {
    manageFeedback(service(Management), service(Records));
  },
});
