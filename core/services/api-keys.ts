import type { Principal } from "../model/principal.ts";
import type { Secret } from "../secrets/secret.ts";
import { serviceToken } from "../service-token.ts";

/** The API keys of the store, for plugins and commands that act on the gateway's own account. */
export interface ApiKeysService {
  /** Keys of the config file: they are let in, and shown by the API, read only. To be called in setup. */
  declare(keys: readonly FileKey[]): void;
  /** Makes another key of the home organisation with every scope it may hold: for who has lost theirs. */
  adminKey(): Promise<IssuedKey>;
  /** Makes a key of a person in a workspace. Rejects like the API does. */
  userKey(key: NewUserKey): Promise<IssuedKey>;
  /**
   * Who a principal is by now, for what goes on after their request: with what the key may do today, or undefined where it
   * lets nobody in any more. Principals that no key of the store stands for stay as they are. Rejects like the store does.
   */
  today(principal: Principal): Promise<Principal | undefined>;
  /** Archives all keys of a person, in one workspace or in all of them; they are refused from then on. */
  archive(whose: { readonly organisation: string; readonly user: string; readonly workspace?: string }): Promise<void>;
}

/** A key of the config file. */
export interface FileKey {
  /** Shown in records. */
  readonly name: string;
  readonly key: Secret;
  readonly scopes: readonly string[];
  /** The slug of the routing config of requests that name none. */
  readonly config?: string;
  readonly mayReplaceConfig: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface NewUserKey {
  readonly organisation: string;
  /** The ids of the workspace and of the person. */
  readonly workspace: string;
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Who `_user` is in metadata where a request does not say: an e-mail address. */
  readonly identity?: string;
}

export interface IssuedKey {
  readonly id: string;
  /** In the clear: it is not to be had again. */
  readonly key: string;
}

export const ApiKeys = serviceToken<ApiKeysService>("api-keys");
