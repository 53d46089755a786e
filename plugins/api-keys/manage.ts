import {
  type AuditTrailService,
  type BudgetsService,
  type CheckedCall,
  changeIfStill,
  fields,
  GatewayError,
  listed,
  type ManagementCall,
  type ManagementService,
  makeIfStill,
  manageResource,
  nothing,
  type Rows,
  requiredWorkspace,
  rowOfOne,
  shownBudgets,
  z,
} from "../../core/index.ts";
import { createBody, updateBody } from "./body.ts";
import { type ChangeParts, changesOf, needConfig, needPerson, newKey, refuseGreater } from "./changes.ts";
import { type ApiKeyDocument, isExpired, tended } from "./document.ts";
import { rotationEvent } from "./events.ts";
import type { KeyRecord, Keys } from "./keys.ts";
import { families, type KeyKind, kindOf, kinds, scopesFor } from "./kinds.ts";
import { limitsOf } from "./known-key.ts";
import type { Places } from "./places.ts";
import { rotateBody } from "./rotation.ts";
import { answer, issuedAnswer, rotatedAnswer, shown } from "./shown.ts";

export interface ManageParts extends ChangeParts {
  readonly management: ManagementService;
  readonly keys: Keys;
  readonly places: Places;
  readonly audit: AuditTrailService | undefined;
  readonly budgets: BudgetsService | undefined;
}

/** The API keys of an organisation (control-plane.md section 5). */
export function manageKeys(parts: ManageParts): void {
  const { management, keys, now } = parts;
  manageCreation(parts);
  manageRotation(parts);
  const ofAll = rows(parts);
  manageResource(management, {
    tag: "api-keys",
    what: "API key",
    path: "/api-keys",
    parameter: "id",
    audit: "api_keys",
    store: keys.store,
    list: {
      scopes: scopesFor("list"),
      query: z.object({
        workspace_id: z.string().optional(),
        ids: fields.commaList.optional().describe("Only these, by id."),
      }),
      page: { size: 50, max: 500 },
      async select(call) {
        const held = kinds.filter((kind) => call.holds(`${families[kind]}.list`));
        const workspace = await call.workspace();
        const { ids } = call.query;
        // Keys of the file are no workspace's: whoever asks for one of them gets its own only.
        const wanted = ({ id, document, origin }: KeyRecord) =>
          held.includes(document.type) && (!ids?.length || ids.includes(id)) && (!workspace || origin === "store");
        return { ...(workspace && { workspace: workspace.id }), filter: wanted };
      },
      row: { ofAll },
      envelope: listed,
      answer: z.object({ object: z.literal("list"), total: z.int(), data: z.array(answer) }),
    },
    read: { scopes: scopesFor("read"), row: rowOfOne(ofAll), answer },
    update: {
      scopes: scopesFor("update"),
      body: updateBody,
      answer: nothing,
      async run(call) {
        const change = await changesOf(call, parts);
        const changed = await prolonged(call, parts, () =>
          changeIfStill(
            keys.store,
            call.found,
            async (before) => tended(await change(before)),
            async () => call.body.defaults && (await needConfig(call, await change(call.found.document))),
          ),
        );
        if (call.body.usage_limits || call.body.reset_usage)
          await parts.budgets?.edited(changed.tenant, [limitsOf(changed)]);
        return {};
      },
    },
    remove: {
      scopes: scopesFor("delete"),
      after: (_, { document }) => keys.forgetSecrets([document.secret, document.previous]),
    },
    allow: (call, record, verb) => refuseOthers(call, record, verb),
  });
  management.needs("configs", async (organisation, { id }) => {
    const { records } = await keys.store.select(organisation, { where: { config_id: id } });
    return records.map(({ document }) => `the API key "${document.name}"`);
  });
  management.needs("workspaces", async (organisation, { id }) => {
    const { total } = await keys.store.select(organisation, {
      where: { workspace_id: id },
      filter: ({ document }) => !isExpired(document, now()),
    });
    return total === 0 ? [] : [`${total} API key${total === 1 ? "" : "s"}`];
  });
}

/** What becomes of a key; one whose time is moved has to have its place. */
async function prolonged(
  { found, body, organisation }: CheckedCall<KeyRecord, z.output<typeof updateBody>, unknown>,
  { places, rules }: ManageParts,
  change: () => Promise<KeyRecord>,
): Promise<KeyRecord> {
  if (body.expires_at === undefined) return change();
  const { type, workspace_id } = found.document;
  return places.prolong(found, await rules(type, organisation, workspace_id ?? undefined), change);
}

const refuseOthers = (call: ManagementCall, { document }: KeyRecord, verb: string): void =>
  call.require(`${families[document.type]}.${verb}`);

const rows =
  ({ organisations, budgets, now }: ManageParts): Rows<ApiKeyDocument> =>
  async (records) => {
    const all = await shownBudgets(budgets, records[0]?.tenant ?? "", records, limitsOf);
    return Promise.all(
      all.map(async ([record, used]) => {
        const { workspace_id: id } = record.document;
        const workspace = id === null ? undefined : await organisations.workspace(record.tenant, id);
        return shown(record, workspace?.slug ?? id, used, now());
      }),
    );
  };

function manageCreation(parts: ManageParts): void {
  const { management, keys, places, rules } = parts;
  management.operation({
    method: "POST",
    path: "/api-keys/{type}/{subType}",
    tag: "api-keys",
    summary: "Makes an API key. Its value is shown in the answer, and never again.",
    scopes: scopesFor("create"),
    body: createBody,
    answer: issuedAnswer,
    audit: { resource: "api_keys", action: "create" },
    find(call): KeyKind {
      const kind = kindOf(call.path.type ?? "", call.path.subType ?? "");
      call.require(`${families[kind]}.create`);
      if (kind === "organisation-service" && call.own)
        throw new GatewayError("forbidden", "This credential is of a workspace, and makes keys of it only.");
      return kind;
    },
    async run(call) {
      const kind = call.found;
      const workspace = kind === "organisation-service" ? undefined : await requiredWorkspace(call, "API key");
      const key = await newKey(call, workspace, parts);
      const most = await rules(kind, call.organisation, workspace?.id);
      const { id, value } = await makeIfStill(
        () => places.issue(call.organisation, key, most),
        async () => {
          await needPerson(call, key);
          await needConfig(call, key);
        },
        ({ record }) => keys.remove(record),
      );
      return { id, key: value, object: "api-key" };
    },
  });
}

function manageRotation({ management, keys, audit }: ManageParts): void {
  management.operation({
    method: "POST",
    path: "/api-keys/{id}/rotate",
    tag: "api-keys",
    summary: "Gives an API key a new value; the one before stays good for a while.",
    scopes: scopesFor("rotate"),
    body: rotateBody,
    answer: rotatedAnswer,
    audit: { resource: "api_keys", action: "rotate" },
    async find(call) {
      const found = await keys.store.find(call, call.path.id ?? "");
      refuseOthers(call, found, "rotate");
      refuseGreater(call, found);
      return found;
    },
    async run({ found, body }) {
      const rotated = await keys.rotate(found, body.key_transition_period_ms);
      if (rotated.made) audit?.event(rotationEvent(found, "manual", rotated));
      return { id: found.id, key: rotated.value, key_transition_expires_at: rotated.transitionEnds };
    },
  });
}
