import type { Answered, Caller } from "../support/management.ts";

export interface Place {
  readonly uuid: string;
  readonly collection: string;
  readonly member: Caller;
}

export interface Version {
  readonly id: string;
  readonly string: string;
  readonly model: string | null;
  labels: string[];
}

export interface Prompt {
  readonly kind: "prompt";
  readonly id: string;
  readonly slug: string;
  readonly at: number;
  name: string;
  readonly versions: Version[];
  published: number;
}

export interface Config {
  readonly kind: "config";
  readonly id: string;
  readonly slug: string;
  readonly at: number;
  name: string;
  readonly versions: { readonly id: string; readonly provider: string; readonly tag: number }[];
  isDefault: boolean;
  active: boolean;
}

export interface Key {
  readonly kind: "key";
  readonly id: string;
  readonly slug: string;
  readonly at: number;
  name: string;
  scopes: string[];
  /** Values that are good, the newest last. */
  readonly values: string[];
}

export type Thing = Prompt | Config | Key;

/** What a walk is walked on. */
export interface Installation {
  readonly admin: Caller;
  /** Two workspaces. */
  readonly places: readonly Place[];
  /** Ids of labels that every workspace has, by name. */
  readonly labelIds: Readonly<Record<string, string>>;
  /** What a value of a key comes to where completions are asked for. */
  whoami(value: string): Promise<Answered>;
}

export const labels = ["production", "staging"];

export const paths = { prompt: "/prompts", config: "/configs", key: "/api-keys" } as const;
export const pathOf = ({ kind, id }: Pick<Thing, "kind" | "id">): string => `${paths[kind]}/${id}`;
/** What asking for one comes to that is unknown or somebody else's (control-plane.md section 1.5). */
export const unseen = { prompt: 404, config: 403, key: 403 } as const;
