import { Bus, definePlugin, Redis, z } from "../../core/index.ts";
import { redisBus } from "./redis-bus.ts";

export default definePlugin({
  name: "bus-redis",
  summary: "Lets all gateways that share a Redis tell each other what happened.",
  options: z.strictObject({}),
  needs: [Redis],
  provides: [Bus],
  setup({ provide, service, log, onClose }) {
    const { bus, close } = redisBus(service(Redis), log);
    onClose(close);
    provide(Bus, bus);
  },
});
