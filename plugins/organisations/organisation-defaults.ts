import {
  GatewayError,
  type ManagementCall,
  type ManagementService,
  makeIfStill,
  nothing,
  z,
} from "../../core/index.ts";
import type { OrganisationDocument, OrganisationStore } from "./organisation.ts";

const guardrailLists = {
  input_guardrails: z.array(z.string()).optional(),
  output_guardrails: z.array(z.string()).optional(),
};

/** Guardrails that every request of the organisation meets. */
export function manageDefaults(management: ManagementService, organisations: OrganisationStore): void {
  const shared = { tag: "organisation", path: "/admin/organisation/defaults", key: "organisation" } as const;
  const named = async ({ organisation }: ManagementCall, ids: readonly string[]) =>
    Promise.all(
      ids.map(async (id) => ({
        id,
        slug: (await management.reference("guardrails", organisation, undefined, id))?.slug ?? null,
      })),
    );
  management.operation({
    ...shared,
    method: "GET",
    summary: "Lists the guardrails that every request meets.",
    scopes: ["organisation_settings.read"],
    answer: z.looseObject({}),
    async run(call) {
      const { defaults } = await organisations.get(call.organisation);
      return {
        input_guardrails: await named(call, defaults.input_guardrails),
        output_guardrails: await named(call, defaults.output_guardrails),
      };
    },
  });
  management.operation({
    ...shared,
    method: "PUT",
    summary: "Says which guardrails every request meets.",
    scopes: ["organisation_settings.update"],
    audit: { resource: "organisation", action: "update" },
    body: z.object(guardrailLists),
    answer: nothing,
    async run(call) {
      const found = async () => ({
        input_guardrails: await ownGuardrails(call, call.body.input_guardrails, "input_guardrails"),
        output_guardrails: await ownGuardrails(call, call.body.output_guardrails, "output_guardrails"),
      });
      const { input_guardrails: input, output_guardrails: output } = await found();
      const change = (defaults: Defaults): Defaults => ({
        input_guardrails: input ?? defaults.input_guardrails,
        output_guardrails: output ?? defaults.output_guardrails,
      });
      await changeDefaults(organisations, call.organisation, change, found);
      return {};
    },
  });
  management.needs("guardrails", async (organisation, { id }) => {
    const { defaults } = await organisations.fresh(organisation);
    const used = [...defaults.input_guardrails, ...defaults.output_guardrails].includes(id);
    return used ? ["the organisation, which has it as a default"] : [];
  });
}

type Defaults = OrganisationDocument["defaults"];

/** Ids of guardrails of the organisation itself. Throws for others. */
async function ownGuardrails(call: ManagementCall, refs: readonly string[] | undefined, param: string) {
  return (
    refs &&
    Promise.all(
      refs.map(async (ref, at) => {
        const place = `${param}[${at}]`;
        const { id, workspace } = await call.reference("guardrails", ref, place, { unknown: "record_invalid" });
        if (workspace === null) return id;
        const message = `${place}: "${ref}" belongs to a workspace, not to the organisation.`;
        throw new GatewayError("record_invalid", message, { param: place });
      }),
    )
  );
}

/** Taken back where `check` throws afterwards, unless somebody has changed them again. */
async function changeDefaults(
  organisations: OrganisationStore,
  organisation: string,
  change: (defaults: Defaults) => Defaults,
  check: () => unknown,
): Promise<void> {
  let before: Defaults | undefined;
  await makeIfStill(
    () =>
      organisations.change(organisation, (document) => {
        before = document.defaults;
        return { ...document, defaults: change(before) };
      }),
    check,
    () =>
      organisations.change(organisation, (document) => {
        const same = before && JSON.stringify(document.defaults) === JSON.stringify(change(before));
        return same && before ? { ...document, defaults: before } : document;
      }),
  );
}
