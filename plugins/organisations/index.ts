import { definePlugin, type Home, Management, Organisations, Records, type Workspace, z } from "../../core/index.ts";
import { openHome } from "./home.ts";
import { manageWorkspaces, workspaceStore } from "./workspaces.ts";

export default definePlugin({
  name: "organisations",
  summary: "Organisations and their workspaces: whose everything is.",
  options: z.strictObject({}),
  needs: [Management, Records],
  provides: [Organisations],
  setup({ service, provide, onClose }) {
    const management = service(Management);
    const records = service(Records);
    const workspaces = workspaceStore({ records });
    let home: Promise<Home> | undefined;
    const kept = workspaces.kept(
      ({ id, tenant, document: { slug = id, name, defaults } }): Workspace => ({
        id,
        slug,
        organisation: tenant,
        name,
        metadata: defaults?.metadata ?? {},
        ...(defaults?.user_api_key_config && { userKeyConfig: defaults.user_api_key_config }),
      }),
      { staleAfterChange: true },
    );
    onClose(kept.close);
    provide(Organisations, {
      home() {
        home ??= openHome(records, workspaces).catch((error: unknown) => {
          home = undefined;
          throw error;
        });
        return home;
      },
      workspace: kept.find,
    });
    management.workspaces(kept.find);
    manageWorkspaces(management, workspaces);
  },
});
