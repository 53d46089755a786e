import { serviceToken } from "../plugin.ts";
import type { WorkspaceRef } from "./management.ts";

/** Organisations and their workspaces, for plugins that act for them. */
export interface OrganisationsService {
  /** The organisation of this installation, made at the first start. Rejects while the store is down. */
  home(): Promise<Home>;
  /** At hand once it was asked for; undefined where there is none, or it was deleted. */
  workspace(organisation: string, ref: string): Workspace | undefined | Promise<Workspace | undefined>;
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
  /** The id or slug of the config that keys of people get where none is given. */
  readonly userKeyConfig?: string;
}

export const Organisations = serviceToken<OrganisationsService>("organisations");
