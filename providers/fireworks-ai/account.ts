import { raise, refuse, z } from "../../core/provider-kit/index.ts";

const id = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})$/;

export const accountOptions = {
  // It becomes part of a path.
  accountId: z
    .string()
    .regex(id, { error: "the id of an account" })
    .exactOptional()
    .describe("The account that files and fine-tuning belong to."),
};

export interface Account {
  readonly accountId?: string;
  readonly baseUrl?: string;
}

export const accountOf = ({ accountId }: Account): string =>
  accountId ??
  raise(
    "invalid_request",
    "fireworks-ai needs an account for files and fine-tuning: fireworks-account-id (with the prefix of this gateway), or " +
      "accountId in the config file.",
    { param: "fireworks-account-id" },
  );

/** Where an account's things are: beside the models, below the same host (providers.md section 13.4). */
export const below = (account: Account, path: string): string =>
  `${(account.baseUrl ?? "").replace(/\/inference\/v1\/*$/, "").replace(/\/+$/, "")}/v1/accounts/${accountOf(account)}${path}`;

/** The last part of a name: `accounts/A/datasets/D`. Ids here are that part. */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

/** An id that becomes part of a path. */
export const idIn = (text: string, param: string): string =>
  id.test(text) ? text : refuse(param, "letters, digits and hyphens", text);
