import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parse } from "yaml";
import { errorMessage, z } from "../../../core/index.ts";
import { type PartialOfFile, type PromptOfFile, partialOfFile, promptOfFile, slugOfFile } from "./options.ts";

export interface Folder {
  readonly prompts: Readonly<Record<string, PromptOfFile>>;
  readonly partials: Readonly<Record<string, PartialOfFile>>;
}

/** Reads a folder of prompts. Throws with every mistake in it, each with its file. */
export function readFolder(folder: string): Folder {
  if (!existsSync(folder)) throw new Error(`folder: there is no folder ${folder}`);
  const mistakes: string[] = [];
  const partials = join(folder, "partials");
  const read = {
    prompts: readFiles(folder, promptOfFile, mistakes),
    partials: existsSync(partials) ? readFiles(partials, partialOfFile, mistakes) : {},
  };
  if (mistakes.length > 0) throw new Error(`the folder of prompts has mistakes\n${mistakes.join("\n")}`);
  return read;
}

const endings: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);

function readFiles<Schema extends z.ZodType>(
  folder: string,
  schema: Schema,
  mistakes: string[],
): Record<string, z.output<Schema>> {
  const found: Record<string, z.output<Schema>> = {};
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    const ending = extname(file.name);
    if (!file.isFile() || !endings.has(ending)) continue;
    const path = join(folder, file.name);
    const slug = file.name.slice(0, -ending.length);
    try {
      const named = slugOfFile.parse(slug);
      if (Object.hasOwn(found, named)) throw new Error(`there is another file for "${named}"`);
      found[named] = schema.parse(parse(readFileSync(path, "utf8")));
    } catch (error) {
      mistakes.push(...reasonsIn(error).map((reason) => `${path}: ${reason}`));
    }
  }
  return found;
}

const reasonsIn = (error: unknown): string[] => {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message));
  return [errorMessage(error)];
};
