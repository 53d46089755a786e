import type { Limited } from "../model/limited.ts";
import type { Principal } from "../model/principal.ts";
import { serviceToken } from "../service-token.ts";
import type { WorkspaceRef } from "./management.ts";

/** Organisations and their workspaces, for plugins that act for them. */
export interface OrganisationsService {
  /** The organisation of this installation, made at the first start. Rejects while the store is down. */
  home(): Promise<Home>;
  /** At hand once it was asked for; undefined where there is none, or it was deleted. */
  workspace(organisation: string, ref: string): Workspace | undefined | Promise<Workspace | undefined>;
  /** All of an organisation, asked of the store. */
  workspaces(organisation: string): Promise<readonly Workspace[]>;
  /** What an organisation has decided, for one of its workspaces where that may differ; at hand once it was asked for. */
  settings(organisation: string, workspace?: string): OrganisationFacts | Promise<OrganisationFacts>;
  /** What of the logs somebody may see, by the role of the person behind the credential. */
  logSight(principal: Principal): Promise<LogSight>;
  /** Says who issues keys to people; one plugin does. */
  keys(issuer: KeyIssuer): void;
  /** Told of each workspace that is made through this process, before its maker has the answer. */
  made(listener: (workspace: Workspace) => void | Promise<void>): void;
}

/** What the data path knows of an organisation. */
export interface OrganisationFacts {
  readonly name: string;
  /** Requests name what was saved; they bring no config and no provider of their own. */
  readonly blockInlineConfig: boolean;
  /** Where the key set for tokens of this organisation is, or the set itself. */
  readonly jwt: { readonly url?: string | undefined; readonly keys?: Readonly<Record<string, unknown>> | undefined };
  readonly logging: "full" | "metrics_only";
  /** Whether `x-gateway-debug` is ignored. */
  readonly loggingEnforced: boolean;
  /** Ids of guardrails that every request meets, unless its workspace is excluded. */
  readonly inputGuardrails: readonly string[];
  readonly outputGuardrails: readonly string[];
  /** Ids of the workspaces that are excluded. */
  readonly excluded: { readonly input: readonly string[]; readonly output: readonly string[] };
  /** What is fixed about the keys of people; null where nothing is. */
  readonly userKeys: {
    readonly rotationDays: number | null;
    readonly defaultDays: number | null;
    readonly maxDays: number | null;
    /** Active ones in a workspace. */
    readonly most: number | null;
  };
  /** JSON Schema that the metadata of a key must fit. */
  readonly keyMetadata: MetadataSchema | null;
  /** Fields that no export of logs may hold. */
  readonly deniedExportFields: readonly string[];
}

/** What somebody sees of the logs their scopes reach. */
export interface LogSight {
  /** Requests and answers with their content. */
  readonly content: boolean;
  /** What became of them: rows, and logs without content. */
  readonly rows: boolean;
  /** Only what was asked with keys of their own. */
  readonly own: boolean;
}

/** Issues keys to people on behalf of others. */
export interface KeyIssuer {
  issue(request: {
    readonly organisation: string;
    readonly workspace: string;
    readonly user: string;
    readonly name: string;
    readonly scopes: readonly string[];
  }): Promise<{ readonly id: string; readonly key: string }>;
  /** Puts away the keys of somebody, in one workspace or in all. */
  archive(organisation: string, user: string, workspace?: string): Promise<void>;
}

export interface Home {
  readonly organisation: string;
  /** The workspace everybody shares. */
  readonly workspace: string;
}

/** What the data path knows of a workspace. */
export interface Workspace extends WorkspaceRef {
  readonly organisation: string;
  readonly name: string;
  /** Added to the metadata of every request. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What all of it is limited to together; absent is nothing. */
  readonly limits?: Limited;
  /** Ids of guardrails that every request of it meets. */
  readonly inputGuardrails?: readonly string[];
  readonly outputGuardrails?: readonly string[];
  /** The id or slug of the config that keys of people get where none is given. */
  readonly userKeyConfig?: string;
}

/** What metadata must look like: a JSON Schema of draft 7 for an object of texts that may hold more. */
export interface MetadataSchema {
  readonly properties?: Readonly<Record<string, { default?: string | undefined }>> | undefined;
  readonly [keyword: string]: unknown;
}

export const Organisations = serviceToken<OrganisationsService>("organisations");
