import { serviceToken } from "../plugin.ts";
import type { WorkspaceRef } from "./management.ts";

/** Organisations and their workspaces, for plugins that act for them. */
export interface OrganisationsService {
  /** The organisation of this installation, made at the first start. Rejects while the store is down. */
  home(): Promise<Home>;
  /** At hand once it was asked for; undefined where there is none, or it was deleted. */
  workspace(organisation: string, ref: string): Workspace | undefined | Promise<Workspace | undefined>;
  /** At hand once they were asked for; empty where there is no such organisation. */
  settings(organisation: string): OrganisationSettings | Promise<OrganisationSettings>;
}

/** The settings of an organisation as they are kept (control-plane.md section 2.8): whoever reads one knows its default. */
export interface OrganisationSettings {
  readonly data_plane_security_settings?: {
    /** Only saved configs and stored providers route. */
    readonly block_inline_config?: boolean;
  };
  readonly [name: string]: unknown;
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
}

export const Organisations = serviceToken<OrganisationsService>("organisations");
