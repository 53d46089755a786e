import { Bus, definePlugin, workersChannel, z } from "../../core/index.ts";
import { localBus } from "./local-bus.ts";

export default definePlugin({
  name: "bus-local",
  summary: "Lets the workers of this machine tell each other what happened.",
  options: z.strictObject({}),
  provides: [Bus],
  setup({ provide, log, onClose }) {
    const { bus, close } = localBus(workersChannel, log);
    onClose(close);
    provide(Bus, bus);
  },
});
