import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { builtInFormats } from "../built-in-formats.ts";
import { type ModuleLoader, moduleLoader } from "../config/index.ts";
import { codeOf } from "../errors/code-of.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import { checkSkeleton } from "./new/check.ts";
import { importsFrom, productFolder } from "./new/imports.ts";
import { pluginSkeleton } from "./new/plugin.ts";
import { providerSkeleton } from "./new/provider.ts";
import type { ClientFormat, Skeleton, SkeletonInput } from "./new/skeleton.ts";

export type Kind = "provider" | "plugin" | "check";

export interface NewOptions {
  /** Where to write; the current folder when absent. */
  readonly dir?: string;
}

const nameShape = /^[a-z][a-z0-9-]*$/;

/** `sluice new KIND NAME`: writes a working, tested skeleton, and never over anything. */
export async function create(
  kind: Kind,
  name: string,
  { dir = "." }: NewOptions = {},
  loader: ModuleLoader = moduleLoader(),
): Promise<CommandResult> {
  if (!nameShape.test(name))
    return failed(`"${name}" is not a name: lower-case letters, digits and hyphens, a letter first, as in acme-labs`);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return failed(`There is no folder ${resolve(dir)}`);
  const folder = realpathSync(dir);
  const skeleton = await skeletonOf(
    kind,
    { name, importing: importsFrom(folder), builtIn: isOwnRoom(kind, folder) },
    loader,
  );
  const files = skeleton.files.map(({ path, text }) => ({ file: join(folder, path), text }));
  const taken = files.filter(({ file }) => existsSync(file)).map(({ file }) => shown(file));
  if (taken.length > 0) return failed(`${taken.join(" and ")}: there already; nothing was written`);
  try {
    for (const { file, text } of files) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: "wx" });
    }
  } catch (error) {
    return failed(`Nothing can be written in ${folder}${codeOf(error)}; --dir names another folder`);
  }
  const written = files.map(({ file }) => `wrote ${shown(file)}`).join("\n");
  const where = kind === "check" ? "" : "In the config file, with paths relative to it:\n\n";
  return succeeded(`${written}\n\n${where}${skeleton.next}\nTest it:\n  npx vitest run ${shown(join(folder, name))}`);
}

const shown = (file: string): string => relative(process.cwd(), file);

/** What stands in the product's own plugins/ or providers/ is loaded by its name. */
const isOwnRoom = (kind: Kind, folder: string): boolean =>
  folder === join(productFolder, kind === "provider" ? "providers" : "plugins");

async function skeletonOf(kind: Kind, input: SkeletonInput, loader: ModuleLoader): Promise<Skeleton> {
  switch (kind) {
    case "plugin":
      return pluginSkeleton(input, await chatFormat(loader));
    case "check":
      return checkSkeleton(input);
    case "provider":
      return providerSkeleton(input, await chatFormat(loader));
  }
}

/** The path of the gateway's own chat endpoint, below its version. */
const chatPath = "/chat/completions";

/** Of all formats, the one whose clients most vendors are made for. */
async function chatFormat(loader: ModuleLoader): Promise<ClientFormat> {
  const { formats, endpoints } = await builtInFormats(loader);
  const endpoint = endpoints.find(({ path }) => path === `/v1${chatPath}`);
  const format = formats.get(endpoint?.format ?? "");
  if (!format) throw new Error(`no plugin serves /v1${chatPath}, so there is no format to start from`);
  const path = format.upstream?.path;
  return { name: format.name, endpoint: `/v1${chatPath}`, path: typeof path === "string" ? path : chatPath };
}
