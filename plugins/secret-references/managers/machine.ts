import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { environmentVariable, GatewayError, z } from "../../../core/index.ts";
import { SecretContent } from "../secret-content.ts";
import { manager } from "./manager.ts";

const auth = z.object({});

/** A variable of the process, or the content of the file it names. */
export const environment = manager<object>({
  auth,
  masked: [],
  ofFile: true,
  refusePath: (path) =>
    /^[A-Za-z_][A-Za-z0-9_]*$/.test(path) ? undefined : "is the name of a variable: OPENAI_API_KEY",
  open:
    ({ path }) =>
    async () => {
      const value = environmentVariable(path);
      if (value === undefined) throw new GatewayError("secret_unresolved", `The variable ${path} is not set.`);
      return new SecretContent(value);
    },
});

/** A file, relative to the config file; white space at its ends does not belong to the secret. */
export const file = manager<object>({
  auth,
  masked: [],
  ofFile: true,
  refusePath: () => undefined,
  open:
    ({ path }, { folder }) =>
    async () => {
      const content = await readFile(resolve(folder, path), "utf8").catch((cause: NodeJS.ErrnoException) => {
        throw new GatewayError("secret_unresolved", `The file ${path} cannot be read (${cause.code}).`, {}, { cause });
      });
      if (content.trim() === "") throw new GatewayError("secret_unresolved", `The file ${path} is empty.`);
      return new SecretContent(content.trim());
    },
});
