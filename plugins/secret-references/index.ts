import {
  definePlugin,
  Management,
  Organisations,
  Records,
  refuseOptions,
  Sealing,
  Secrets,
  serviceToken,
} from "../../core/index.ts";
import { checkedReference } from "./checked-reference.ts";
import { LastValues } from "./last-values.ts";
import { manageReferences } from "./manage.ts";
import { secretReferencesOptions } from "./options.ts";
import { declaredReference, referenceStore } from "./reference-store.ts";
import { secretsOf } from "./resolve.ts";

const Last = serviceToken<LastValues>("last-values");

export default definePlugin({
  name: "secret-references",
  summary: "Credentials that lie elsewhere: in vaults, in the environment, in files.",
  options: secretReferencesOptions,
  needs: [Management, Records],
  uses: [Organisations, Sealing],
  provides: [Secrets],
  setup({ service, offered, provide, providers, ask, folder, log, kept, onClose }, options) {
    const declared = Object.entries(options.references).map(([slug, given]) => declaredReference(slug, given));
    refuseOptions(
      declared.flatMap(({ id, document }) =>
        checkedReference(document).mistakes.map(({ field, message }) => ({
          path: ["references", id, ...field.split(".")],
          message,
        })),
      ),
    );
    const store = referenceStore({ records: service(Records), sealing: offered(Sealing), declared });
    const organisations = offered(Organisations);
    const { references: _, ...managers } = options;
    const secrets = secretsOf({
      store,
      declared,
      organisations,
      tools: { ask, folder, options: managers },
      lastValues: kept(Last, () => new LastValues()),
      log,
    });
    onClose(secrets.close);
    provide(Secrets, secrets);
    manageReferences(service(Management), store, {
      refuseUrl: (url) => !providers.acceptsHost(url),
      machineIdentity: options.machineIdentity,
    });
  },
});
