import { onTestFinished } from "vitest";
import {
  type AuditEvent,
  type Exchange,
  type FileKeyFinder,
  type Notification,
  type Principal,
  recordStore,
  type Workspace,
} from "../../core/index.ts";
import { silentLogger } from "../../core/log.ts";
import { PrefixedHeaders } from "../../core/pipeline/exchange-state.ts";
import { MemoryRecords } from "../../test/support/memory-records.ts";
import { Door } from "./door.ts";
import { Installation } from "./installation.ts";
import { Keys, type NewKey } from "./keys.ts";
import { knownKey } from "./known-key.ts";
import { Places } from "./places.ts";
import { Secrets } from "./secrets.ts";
import { sweep } from "./sweep.ts";
import { bounded } from "./unknown-values.ts";
import { envelope } from "./unread.ts";

export const organisation = "11111111-1111-4111-8111-111111111111";

/** The parts of the plugin over a store whose questions are counted, and which can be down; with a clock of the test's. */
export function keyDeployment({ perSecond = 5, store = new MemoryRecords() } = {}) {
  const clock = { now: Date.parse("2026-03-11T10:00:00Z") };
  const now = () => clock.now;
  const records = recordStore(store, silentLogger, now);
  const installation = new Installation(records);
  const secrets = new Secrets({ records, installation, prefix: "", admitUnknown: bounded(perSecond, now), now });
  const keys = new Keys({ records, secrets, envelope: envelope(undefined, installation), now });
  const places = new Places({ records, keys, now });
  const kept = keys.store.kept(knownKey);
  const workspaces = new Map<string, Workspace>();
  const declared: { find?: FileKeyFinder } = {};
  const starting: { first?: Promise<void> | undefined } = {};
  const door = new Door({
    installation,
    secrets,
    keys: kept,
    workspace: (_, id) => workspaces.get(id),
    declared: () => declared.find,
    starting: () => starting.first,
    now,
  });
  onTestFinished(() => {
    for (const one of [kept, secrets, installation]) one.close();
  });
  const events: AuditEvent[] = [];
  const notices: Notification[] = [];
  return {
    clock,
    store,
    installation,
    secrets,
    keys,
    places,
    declared,
    starting,
    workspaces,
    events,
    notices,
    issue: (more: Partial<NewKey> = {}, given?: Parameters<Keys["issue"]>[2]) =>
      keys.issue(organisation, { ...draft, ...more }, given),
    admit: async (value: string, header = "x-gateway-api-key"): Promise<Principal | undefined> =>
      door.admit(asking(header, value)),
    /** As whom a request is recorded that is refused. */
    refusedAs: async (value: string): Promise<Principal | undefined> => {
      const exchange = asking("x-gateway-api-key", value);
      await Promise.resolve()
        .then(() => door.admit(exchange))
        .catch(() => undefined);
      return exchange.principal;
    },
    today: (principal: Principal) => door.today(principal),
    /** The same, with what came back as it came: at once, or as a promise. */
    admitRaw: (value: string) => door.admit(asking("x-gateway-api-key", value)),
    sweep: () =>
      sweep({
        keys,
        now,
        log: silentLogger,
        audit: { event: (event) => void events.push(event) },
        notifications: { notify: (notice) => void notices.push(notice) },
      }),
  };
}

const draft: NewKey = {
  type: "organisation-service",
  workspace_id: null,
  name: "n",
  scopes: ["workspaces.list"],
  creation_mode: "api",
};

const asking = (header: string, value: string): Exchange => {
  const headers = { [header]: value };
  return { headers, url: "/", gatewayHeaders: new PrefixedHeaders(headers, ["x-gateway-"]) } as unknown as Exchange;
};
