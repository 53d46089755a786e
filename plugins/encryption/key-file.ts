import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorMessage } from "../../core/index.ts";
import { keyBytes, keysIn, type MasterKey } from "./master-key.ts";

/** The master keys of a file; undefined where there is no such file. */
export function readKeyFile(path: string): MasterKey[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const keys = keysFrom(text, path);
  if (keys.length > 0) return keys;
  throw new Error(`${path}: there is no key in it; restore it from a copy`);
}

function keysFrom(text: string, path: string): MasterKey[] {
  try {
    return keysIn(text);
  } catch (cause) {
    throw new Error(`${path}: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Makes a file with a new master key, for its owner only. It is there whole or not at all; of several processes that
 * make it at the same time, one does, and all read what that one wrote.
 */
export function makeKeyFile(path: string): { readonly keys: MasterKey[]; readonly made: boolean } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(keyBytes).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  let made = true;
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    made = false;
  } finally {
    rmSync(draft);
  }
  return { keys: readKeyFile(path) ?? [], made };
}
