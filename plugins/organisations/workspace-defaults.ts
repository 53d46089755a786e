import {
  fitMetadata,
  type Managed,
  type ManagementCall,
  type ManagementService,
  type MetadataSchema,
  z,
} from "../../core/index.ts";
import type { WorkspaceDefaults, WorkspaceDocument, WorkspaceStore } from "./workspace.ts";

/** What a workspace gives its requests (control-plane.md section 3.2). */
export const defaultsField = z.object({
  metadata: z.record(z.string(), z.string().max(128)).nullable().optional(),
  input_guardrails: z.array(z.string()).optional(),
  output_guardrails: z.array(z.string()).optional(),
  user_api_key_config: z.string().nullable().optional(),
});

type SentDefaults = z.output<typeof defaultsField>;

/** The members that were sent, as they are kept. Throws where one refers to something that is not there. */
export async function sentDefaults(
  call: ManagementCall,
  { metadata, user_api_key_config: config, ...given }: SentDefaults,
  workspace: string,
): Promise<Partial<WorkspaceDefaults>> {
  const guardrails = async (name: "input_guardrails" | "output_guardrails") => {
    const found = given[name]?.map((ref, at) =>
      call.reference("guardrails", ref, `defaults.${name}[${at}]`, { workspace }),
    );
    return found && { [name]: (await Promise.all(found)).map(({ id }) => id) };
  };
  const found =
    typeof config === "string" &&
    (await call.reference("configs", config, "defaults.user_api_key_config", { workspace }));
  return {
    ...(metadata !== undefined && { metadata }),
    ...(await guardrails("input_guardrails")),
    ...(await guardrails("output_guardrails")),
    ...(config !== undefined && { user_api_key_config: found ? (found.slug ?? found.id) : null }),
  };
}

/** Defaults as they are kept, with metadata as the organisation wants it; null where there are none. */
export async function fittingDefaults(
  given: Partial<WorkspaceDefaults> | null,
  schema: MetadataSchema | null | undefined,
): Promise<WorkspaceDefaults | null> {
  const metadata = await fitMetadata(schema, given?.metadata, "defaults.metadata");
  if (!given && !metadata) return null;
  const { input_guardrails = [], output_guardrails = [], user_api_key_config = null } = given ?? {};
  return { metadata: metadata ?? null, input_guardrails, output_guardrails, user_api_key_config };
}

/** What a workspace gives its requests stays as long as it does (control-plane.md section 1.7). */
export function needDefaults(management: ManagementService, store: WorkspaceStore): void {
  const needing = async (organisation: string, uses: (defaults: WorkspaceDefaults) => boolean) => {
    const filter = ({ document }: Managed<WorkspaceDocument>) => document.defaults !== null && uses(document.defaults);
    const { records } = await store.select(organisation, { filter });
    return records.map(({ document }) => `the workspace "${document.name}" with it as a default`);
  };
  management.needs("configs", (organisation, { id, slug }) =>
    needing(organisation, ({ user_api_key_config: ref }) => ref === id || (ref != null && ref === slug)),
  );
  management.needs("guardrails", (organisation, { id, slug }) =>
    needing(organisation, ({ input_guardrails = [], output_guardrails = [] }) =>
      [...input_guardrails, ...output_guardrails].some((ref) => ref === id || ref === slug),
    ),
  );
}
