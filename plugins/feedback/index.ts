import { definePlugin, Logs, Management, Records, serviceToken, z } from "../../core/index.ts";
import { manageFeedback } from "./feedback.ts";
import { nothingUntold, Telling, type Untold } from "./telling.ts";

const Waiting = serviceToken<Untold>("feedback that waits for the logs");

export default definePlugin({
  name: "feedback",
  summary: "Keeps what people say of answers.",
  options: z.strictObject({}),
  needs: [Management, Records],
  uses: [Logs],
  setup({ service, offered, log, kept, onServing, onClose }) {
    const logs = offered(Logs);
    const untold = kept(Waiting, nothingUntold);
    const telling = logs && new Telling({ logs, log, untold });
    if (telling) {
      onServing(() => telling.serve());
      onClose(() => telling.close());
    }
    manageFeedback(service(Management), { records: service(Records), telling });
  },
});
