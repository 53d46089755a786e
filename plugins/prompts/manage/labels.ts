import {
  fields,
  GatewayError,
  type Managed,
  type ManagementService,
  manageResource,
  nothing,
  requiredWorkspace,
  timesOf,
  z,
} from "../../../core/index.ts";
import type { LabelDocument } from "../saved/documents.ts";
import type { Stores } from "../saved/stores.ts";
import { universalNames } from "../saved/universal-labels.ts";

/** Names that cannot be taken for a version, with one unusual character at most (control-plane.md section 11.2). */
const name = z
  .string()
  .min(1)
  .max(64, { abort: true })
  .regex(
    /^(?!latest$)(?!default$)(?!\d+$)[a-zA-Z0-9_-]*[^@\s]?[a-zA-Z0-9_-]*$/,
    "may hold letters, digits, _ and -, is no number, and is not latest or default",
  );

const described = {
  description: fields.description.optional(),
  color_code: z.string().max(32).nullable().optional(),
};

const answer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  color_code: z.string().nullable(),
  organisation_id: z.string(),
  workspace_id: z.string().nullable(),
  is_universal: z.boolean(),
  created_at: z.string(),
  last_updated_at: z.string(),
  status: z.literal("active"),
});

/** Labels: names that point to versions of prompts. */
export function manageLabels(management: ManagementService, { labels: store }: Stores): void {
  manageResource(management, {
    tag: "labels",
    what: "label",
    path: "/labels",
    parameter: "labelId",
    audit: "labels",
    kind: "labels",
    store,
    create: {
      scopes: ["prompts.create"],
      body: z.object({
        name,
        ...described,
        workspace_id: fields.workspace,
        organisation_id: z.string().optional(),
      }),
      answer: z.object({ id: z.string() }),
      async run(call) {
        const { body, organisation } = call;
        const workspace = await requiredWorkspace(call, "label");
        refuseUniversal(body.name);
        const { id } = await naming(body.name, () =>
          store.create(
            organisation,
            { name: body.name },
            {
              workspace_id: workspace.id,
              name: body.name,
              taken_name: body.name,
              description: body.description ?? null,
              color_code: body.color_code ?? null,
            },
          ),
        );
        return { id };
      },
    },
    list: {
      scopes: ["prompts.list"],
      query: z.object({
        organisation_id: z.string().optional(),
        workspace_id: z.string().optional(),
        search: z.string().optional(),
      }),
      page: { size: 50, max: 500 },
      async select(call) {
        const search = call.query.search?.toLowerCase() ?? "";
        return {
          workspace: (await call.workspace())?.id,
          ...(search && { filter: ({ document }) => document.name.toLowerCase().includes(search) }),
        };
      },
      row: shown,
      envelope: (data, total) => ({ total, data }),
      answer: z.object({ total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: ["prompts.read"], row: shown, answer },
    update: {
      scopes: ["prompts.update"],
      body: z.object({ name: name.optional(), ...described }),
      answer: nothing,
      async run({ found, body }) {
        if (body.name !== undefined) refuseUniversal(body.name);
        await naming(body.name ?? found.document.name, () =>
          store.update(found, (document) => ({
            ...document,
            ...(body.name !== undefined && { name: body.name, taken_name: body.name }),
            ...(body.description !== undefined && { description: body.description }),
            ...(body.color_code !== undefined && { color_code: body.color_code }),
          })),
        );
        return {};
      },
    },
    remove: { scopes: ["prompts.delete"] },
    allow(_call, { origin, document }, verb) {
      if (origin === "built-in" && verb !== "read")
        throw new GatewayError("record_invalid", `The label "${document.name}" is universal and stays as it is.`);
    },
  });
}

function refuseUniversal(wanted: string): void {
  if (universalNames.some((universal) => universal === wanted)) throw taken(wanted);
}

const taken = (wanted: string) =>
  new GatewayError("already_exists", `There is a label "${wanted}" already.`, { param: "name" });

/** Says in the words of callers that a name is taken. */
async function naming<Made>(wanted: string, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make();
  } catch (error) {
    throw error instanceof GatewayError && error.code === "already_exists" ? taken(wanted) : error;
  }
}

function shown(label: Managed<LabelDocument>) {
  const { id, tenant, document, origin } = label;
  const { name, description, color_code, workspace_id } = document;
  return {
    id,
    name,
    description,
    color_code,
    organisation_id: tenant,
    workspace_id,
    is_universal: origin === "built-in",
    ...timesOf(label),
    status: "active",
  };
}
