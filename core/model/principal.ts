import type { Limited } from "./limited.ts";

/** Who is asking. */
export interface Principal {
  /** Stable id, used in keys of caches and counters. */
  readonly id: string;
  /** Shown in records. */
  readonly name?: string;
  /** The client headers that carried the gateway credential: they never go upstream. */
  readonly credentialHeaders?: readonly string[];
  /** The parameters of the query that carried it: they go upstream as little. */
  readonly credentialParameters?: readonly string[];
  readonly scopes?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * The routing config of requests that name none, by slug or id. Without `mayReplace` they may not name another one. With
   * `ifThere` one that is not there is as good as none; else it refuses the request.
   */
  readonly defaultConfig?: {
    readonly slug?: string;
    readonly id?: string;
    readonly mayReplace: boolean;
    readonly ifThere?: true;
  };
  /** Who `_user` is in the metadata where neither the request nor the principal's own metadata says. */
  readonly identity?: string;
  /** What the credential itself is limited to, for whoever counts. */
  readonly limits?: Limited;
  /**
   * Ids of the organisation and the workspace it acts for, which make its tenant: those who have the same ones share it,
   * and without them a principal is a tenant of its own. With an organisation alone it manages all of it.
   */
  readonly organisation?: string;
  readonly workspace?: string;
  /** The id of the person behind it, where there is one. */
  readonly user?: string;
}
