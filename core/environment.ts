import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** The environment variables the config file may refer to. */
export interface Environment {
  /** Unset and empty are the same: absent. Throws when the variable names a file that cannot be read. */
  value(name: string): string | undefined;
  /** Whether there is such a variable, be it empty; for messages. */
  isSet(name: string): boolean;
}

/** Variables whose value is a path on purpose, so that it stays a path (operations.md section 3.1). */
const keepsItsPath = new Set([
  "NODE_ENV",
  "TLS_KEY_PATH",
  "TLS_CERT_PATH",
  "TLS_CA_PATH",
  // Whoever reads it reads the file, and can say what is wrong with it.
  "TLS_CA",
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "IDENTITY_ENDPOINT",
  "AZURE_FEDERATED_TOKEN_FILE",
  "ANTHROPIC_IDENTITY_TOKEN_FILE",
]);
const looksLikePath = /^(\/|\.\/|\.\.\/)/;
const isPathName = (name: string) => keepsItsPath.has(name) || /_(BASEPATH|LOCAL_PATH|FOLDER)$/.test(name);

/**
 * Reads variables by the rules of operations.md section 3.1. A value that names a file is replaced by the file's trimmed
 * content, so that secrets can be mounted. A relative one is looked for in the working folder, since whoever starts
 * the process wrote it, not whoever wrote the config file.
 */
export function environmentOf(
  variables: Readonly<Record<string, string | undefined>>,
  workingFolder = process.cwd(),
): Environment {
  const given = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  return {
    isSet: (name) => given(name) !== undefined,
    value(name) {
      const value = given(name);
      if (!value) return undefined;
      if (!looksLikePath.test(value) || isPathName(name)) return value;
      return contentOf(resolve(workingFolder, value), name, value);
    },
  };
}

/** The variables of this process: the one place in the product that looks at them. */
export const processEnvironment = (): Environment => environmentOf(process.env);

function contentOf(file: string, name: string, otherwise: string): string | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return otherwise;
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new Error(`the file ${name} names cannot be read${code}`, { cause });
  }
}
