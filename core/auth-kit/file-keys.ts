import { hash, randomBytes } from "node:crypto";
import { z } from "zod";
import { plainScope } from "../access/scopes.ts";
import type { Principal } from "../model/principal.ts";
import { type OptionMistake, refuseOptions } from "../options-error.ts";
import { secret } from "../secrets/secret.ts";
import type { FileKey } from "../services/api-keys.ts";

/** A key of the config file. */
export const fileKey = z.strictObject({
  name: z.string().min(1).describe("Shown in records."),
  key: secret().describe("The key itself, by reference: ${TEAM_KEY}."),
  scopes: z.array(z.string()).default(["completions.write"]).describe("What the key may do."),
  config: z.string().min(1).exactOptional().describe("The slug of the routing config of requests that name none."),
  mayReplaceConfig: z.boolean().default(true).describe("Whether requests with this key may name another config."),
  metadata: z.record(z.string(), z.string()).default({}).describe("Added to the metadata of every request."),
});

/** Says whose key a value is. */
export type FileKeyFinder = (value: string) => Principal | undefined;

/** A key shorter than this can be guessed. */
export const shortestKey = 16;

/** Of the option `keys` of whoever lets in with them. Throws for keys that are too short, and for values that stand there twice. */
export function fileKeys(keys: readonly FileKey[]): FileKeyFinder {
  // Digests under a salt of this process: looking one up tells nothing, in its time or in a memory dump.
  const salt = randomBytes(16).toString("base64");
  const digest = (value: string) => hash("sha256", salt + value, "base64");
  const principals = new Map<string, Principal>();
  const mistakes: OptionMistake[] = [];
  const refuse = (at: number, message: string) => void mistakes.push({ path: ["keys", at, "key"], message });
  for (const [at, { name, key, scopes, metadata, config, mayReplaceConfig }] of keys.entries()) {
    const value = key.reveal();
    if (value.length < shortestKey) refuse(at, `the key "${name}" is shorter than ${shortestKey} characters`);
    else if (principals.has(digest(value))) refuse(at, `the key "${name}" has the value of another key`);
    principals.set(digest(value), {
      id: `key:${name}`,
      name,
      scopes: scopes.map(plainScope),
      metadata,
      ...(config !== undefined && { defaultConfig: { slug: config, mayReplace: mayReplaceConfig } }),
    });
  }
  refuseOptions(mistakes);
  return (value) => principals.get(digest(value));
}
