import { createHash } from "node:crypto";
import {
  errorMessage,
  GatewayError,
  type Logger,
  type Managed,
  type OrganisationsService,
  type SecretsService,
  seldom,
  storeDown,
} from "../../core/index.ts";
import { KeptSecret } from "./kept-secret.ts";
import { LastValues } from "./last-values.ts";
import { type ManagerTools, managers } from "./managers/index.ts";
import type { ReferenceDocument, ReferenceStore } from "./reference-store.ts";
import type { SecretContent } from "./secret-content.ts";

export interface ResolveParts {
  readonly store: ReferenceStore;
  /** Of the config file, for every organisation. */
  readonly declared: readonly { readonly id: string; readonly document: ReferenceDocument }[];
  readonly organisations: Pick<OrganisationsService, "workspace"> | undefined;
  readonly tools: ManagerTools;
  readonly log: Logger;
  /** Over all generations of the config. */
  readonly lastValues?: LastValues;
  readonly now?: () => number;
}

/** A reference ready to be resolved. */
interface Ready {
  readonly slug: string;
  readonly key: string | undefined;
  readonly allowed: readonly string[] | null;
  readonly secret: KeptSecret;
}

/** The values behind references, at hand once they were fetched (operations.md section 10.5). */
export function secretsOf(parts: ResolveParts): SecretsService & { close(): void } {
  const { store, organisations, log } = parts;
  const secrets = keptSecrets(parts);
  const kept = store.kept<Ready>((record) => readyOf(record, secrets), { staleAfterChange: true });
  const ofFile = new Map(
    parts.declared.map(({ id, document }) => [id, readyOf({ id, document, tenant: "", origin: "file" }, secrets)]),
  );
  const find = (organisation: string, ref: string): Ready | undefined | Promise<Ready | undefined> => {
    const found = ofFile.get(ref) ?? kept.find(organisation, ref);
    return found instanceof Promise ? found.catch(storeDown) : found;
  };
  /** The file may name a workspace by its slug. */
  const allows = ({ allowed }: Ready, organisation: string, workspace: string): boolean | Promise<boolean> => {
    if (allowed === null || allowed.includes(workspace)) return true;
    const found = organisations?.workspace(organisation, workspace);
    const bySlug = (one: { readonly slug: string } | undefined) => one !== undefined && allowed.includes(one.slug);
    return found instanceof Promise ? found.then(bySlug) : bySlug(found);
  };
  const due = seldom(parts.now);
  const unresolved = (reference: string, reason: string, cause?: unknown) => {
    const times = due(`${reference}\n${reason}`);
    if (times !== undefined) log.warn("a secret was not resolved", { reference, reason, times });
    return new GatewayError("secret_unresolved", "Unable to resolve secret", { param: reference }, { cause });
  };
  const opened = (ready: Ready, key: string | undefined): string | Promise<string> => {
    const read = (content: { value(key: string | undefined): string }): string => {
      try {
        return content.value(key ?? ready.key);
      } catch (cause) {
        throw unresolved(ready.slug, errorMessage(cause), cause);
      }
    };
    const content = ready.secret.content();
    if (!(content instanceof Promise)) return read(content);
    return content.then(read, (cause: unknown) => {
      throw unresolved(ready.slug, errorMessage(cause), cause);
    });
  };
  return {
    value(organisation, workspace, reference, key) {
      const use = (ready: Ready | undefined): string | Promise<string> => {
        if (!ready) throw unresolved(reference, "there is no such reference");
        const allowed = workspace === undefined || allows(ready, organisation, workspace);
        if (allowed === true) return opened(ready, key);
        const refuse = () => unresolved(reference, `the workspace ${workspace} may not use it`);
        if (allowed === false) throw refuse();
        return allowed.then((may) => {
          if (!may) throw refuse();
          return opened(ready, key);
        });
      };
      try {
        const ready = find(organisation, reference);
        return ready instanceof Promise ? ready.then(use) : use(ready);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    refused(organisation, reference, key, value) {
      const drop = (ready: Ready | undefined) =>
        ready?.secret.drop((content) => value === undefined || gives(content, key ?? ready.key) === value);
      const ready = find(organisation, reference);
      if (ready instanceof Promise) ready.then(drop, () => undefined);
      else drop(ready);
    },
    close: kept.close,
  };
}

/** Undefined where it gives nothing. */
function gives(content: SecretContent | undefined, key: string | undefined): string | undefined {
  try {
    return content?.value(key);
  } catch {
    return undefined;
  }
}

type Readable = Pick<Managed<ReferenceDocument>, "id" | "tenant" | "origin" | "document">;

const readyOf = (record: Readable, secrets: (record: Readable) => KeptSecret): Ready => {
  const { id, document } = record;
  const { slug = id, secret_key, allowed_workspaces } = document;
  return { slug, key: secret_key ?? undefined, allowed: allowed_workspaces, secret: secrets(record) };
};

/**
 * What was fetched for a reference stays while it says the same place and the same credentials, and goes when nobody
 * resolves it any more.
 */
function keptSecrets(parts: ResolveParts): (record: Readable) => KeptSecret {
  const { tools, log, now, lastValues = new LastValues() } = parts;
  const { ask: _, ...where } = tools;
  // Another option may be another place, or less that this machine shows.
  const surroundings = JSON.stringify(where);
  const due = seldom(now);
  const known = new Map<string, { readonly place: string; readonly secret: WeakRef<KeptSecret> }>();
  return (record) => {
    const { id, tenant, document } = record;
    const { slug = id, manager_type, auth_config, secret_path } = document;
    const place = createHash("sha256")
      .update(JSON.stringify([surroundings, tenant, id, record.origin, manager_type, secret_path, auth_config]))
      .digest("base64");
    const key = `${tenant}\n${id}`;
    const before = known.get(key);
    const same = before?.place === place ? before.secret.deref() : undefined;
    if (same) return same;
    const failed = (error: unknown, servedFor: number | undefined) => {
      const reason = errorMessage(error);
      const times = due(`${key}\n${reason}`);
      if (times === undefined) return;
      log.warn("a secret manager failed", {
        reference: slug,
        manager: manager_type,
        reason,
        times,
        ...(servedFor !== undefined && { valueFromSecondsAgo: Math.round(servedFor / 1_000) }),
      });
    };
    const secret = new KeptSecret({
      fetch: fetcherOf(record, tools),
      failed,
      last: () => lastValues.of(place),
      keep: (value) => lastValues.set(place, value),
      forget: (content) => lastValues.forget(place, content),
      ...(now && { now }),
    });
    known.set(key, { place, secret: new WeakRef(secret) });
    return secret;
  };
}

/** Opened when it is first fetched: what was saved may not be possible here any more. */
function fetcherOf({ origin, document }: Readable, tools: ManagerTools): () => Promise<SecretContent> {
  const { manager_type, auth_config: auth, secret_path: path } = document;
  const manager = managers[manager_type];
  const trusted = origin === "file";
  let fetch: (() => Promise<SecretContent>) | undefined;
  return async () => {
    if (!trusted && !tools.options.machineIdentity && manager.showsMachine?.(auth))
      throw new GatewayError("secret_unresolved", "This machine's identity is not shown for references of the API.");
    fetch ??= manager.open({ auth, path, trusted }, tools);
    return fetch();
  };
}
