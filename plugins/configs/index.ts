import { definePlugin, Management, Records, Routing, Sealing, z } from "../../core/index.ts";
import { configStore, declaredConfigs, versionStore } from "./config-store.ts";
import { configsInForce } from "./in-force.ts";
import { manageConfigs } from "./manage.ts";

export default definePlugin({
  name: "configs",
  summary: "Routing configs that are kept in the store, with versions, and managed over the API.",
  options: z.strictObject({}),
  needs: [Management, Records, Routing],
  uses: [Sealing],
  setup({ service, offered, onClose }) {
    const routing = service(Routing);
    const parts = { records: service(Records), sealing: offered(Sealing) };
    const configs = configStore({ ...parts, declared: declaredConfigs(routing) });
    const inForce = configsInForce(configs);
    onClose(inForce.close);
    routing.saved(inForce.find);
    manageConfigs({ management: service(Management), routing, configs, versions: versionStore(parts) });
  },
});
