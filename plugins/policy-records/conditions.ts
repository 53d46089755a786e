import {
  GatewayError,
  isId,
  type ManagementCall,
  type PolicyCondition,
  type WorkspaceRef,
  z,
} from "../../core/index.ts";

/** A mistake, with the field it is in. */
export interface Mistake {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Kinds of policies, by what their conditions and groups may name. */
export type PolicyKind = "usage" | "llm" | "mcp_tools";

const ofRequests = [
  "api_key",
  "organisation_id",
  "workspace_id",
  "virtual_key",
  "provider",
  "config",
  "prompt",
  "model",
];

/** What policies of a kind know of a request, besides its metadata (policies.md section 3.2). */
const keys: Readonly<Record<PolicyKind, ReadonlySet<string>>> = {
  usage: new Set(ofRequests),
  llm: new Set([...ofRequests, "endpoint_type"]),
  mcp_tools: new Set(["api_key", "workspace_id", "mcp_server", "mcp_tool"]),
};

/** Why a key is none for a kind; undefined where it is one. */
export function refuseKey(key: string, kind: PolicyKind): string | undefined {
  if (keys[kind].has(key) || /^metadata\..+/s.test(key)) return undefined;
  return `must be one of ${[...keys[kind]].join(", ")} or metadata.NAME`;
}

const value = z.string().min(1).max(256);
const values = z.union([value, z.array(value).min(1).max(100)]);

/** A condition, as it was written and as it is kept. */
export const condition = z.object({ key: z.string().max(256), value: values, excludes: values.optional() });
export type KeptCondition = z.output<typeof condition>;

export const conditionList = z.array(condition).min(1).max(20);

export const groups = z
  .array(z.object({ key: z.string().max(256) }))
  .min(1)
  .max(10)
  .superRefine((given, context) => {
    for (const [at, { key }] of given.entries())
      if (given.findIndex((one) => one.key === key) < at)
        context.addIssue({ code: "custom", path: [at, "key"], message: `groups by "${key}" a second time` });
  });
export type KeptGroup = z.output<typeof groups>[number];

/** Conditions as requests are compared with: workspaces by id, configs by slug, providers without an @. */
export async function resolvedConditions(
  conditions: readonly KeptCondition[],
  workspace: string | undefined,
  call: ManagementCall,
): Promise<KeptCondition[]> {
  const resolved = async (key: string, one: string, place: string): Promise<string> => {
    if (one === "*") return one;
    if (key === "workspace_id") return (await workspaceOf(call, one, place)).id;
    if (key === "virtual_key") return one.replace(/^@/, "");
    if (key !== "config" || !isId(one)) return one;
    return (await call.reference("configs", one, place, { workspace })).slug ?? one;
  };
  const all = async (key: string, given: string | readonly string[], place: string) =>
    typeof given === "string"
      ? resolved(key, given, place)
      : Promise.all(given.map((one, at) => resolved(key, one, `${place}[${at}]`)));
  return Promise.all(
    conditions.map(async ({ key, value: wanted, excludes }, at) => ({
      key,
      value: await all(key, wanted, `conditions[${at}].value`),
      ...(excludes !== undefined && { excludes: await all(key, excludes, `conditions[${at}].excludes`) }),
    })),
  );
}

/** Policies of a workspace never meet requests of another one; to its own credentials there is no other. */
async function workspaceOf(call: ManagementCall, ref: string, place: string): Promise<WorkspaceRef> {
  const { own } = call;
  if (!own || ref === own.id || ref === own.slug) return own ?? call.workspaceOf(ref, place);
  throw new GatewayError("reference_unknown", `There is no workspace "${ref}".`, { param: place });
}

/** Values of the file that no request has: there is nobody yet to be asked which workspace or config is meant. */
export const unresolvedIn = (conditions: readonly KeptCondition[]): Mistake[] =>
  conditions.flatMap(({ key, value: wanted, excludes = [] }, at) =>
    [wanted, excludes].flat().flatMap((one) => {
      const isWrong = (key === "workspace_id" && one !== "*" && !isId(one)) || (key === "config" && isId(one));
      if (!isWrong) return [];
      const message = `names ${key === "config" ? "configs by slug" : "workspaces by id"} in the file, and not "${one}"`;
      return [{ path: ["conditions", at, "value"], message }];
    }),
  );

/** Conditions as the data path takes them. */
export const conditionsOf = (kept: readonly KeptCondition[]): PolicyCondition[] =>
  kept.map(({ key, value: wanted, excludes = [] }) => {
    // Those of the file are as they were written there.
    const named = (one: string) => (key === "virtual_key" ? one.replace(/^@/, "") : one);
    return { key, values: [wanted].flat().map(named), excludes: [excludes].flat().map(named) };
  });
