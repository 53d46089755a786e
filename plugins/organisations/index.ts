import {
  definePlugin,
  type Home,
  keptRecords,
  Management,
  type OrganisationSettings,
  Organisations,
  Records,
  type Workspace,
  z,
} from "../../core/index.ts";
import { openHome } from "./home.ts";
import { installation, type OrganisationDocument, organisationsIn } from "./organisation.ts";
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
      }),
      { staleAfterChange: true },
    );
    onClose(kept.close);
    const settings = keptRecords<OrganisationDocument, OrganisationSettings>({
      collection: organisationsIn(records),
      read: ({ document }) => document.settings,
      staleAfterChange: true,
    });
    onClose(settings.close);
    provide(Organisations, {
      home() {
        home ??= openHome(records, workspaces).catch((error: unknown) => {
          home = undefined;
          throw error;
        });
        return home;
      },
      workspace: kept.find,
      settings(organisation) {
        const found = settings.find(installation, organisation);
        return found instanceof Promise ? found.then((one) => one ?? none) : (found ?? none);
      },
    });
    management.workspaces(kept.find);
    manageWorkspaces(management, workspaces);
  },
});

const none: OrganisationSettings = {};
