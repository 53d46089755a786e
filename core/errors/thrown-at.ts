import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the gateway itself. */
export const product = fileURLToPath(new URL("../../", import.meta.url));

interface Frame {
  readonly file: string;
  /** `:12:7` */
  readonly at: string;
}

/** The places in files that a stack names, innermost first. */
export const framesOf = ({ stack = "" }: Error): readonly Frame[] =>
  [...stack.matchAll(/(?<=^\s*|\s|\()((?:file:\/\/)?\/[^()\s]+?)(:\d+(?::\d+)?)\)?$/gm)].map(
    ([, file = "", at = ""]) => ({ file: pathOf(file), at }),
  );

/** Without the mark of a module that was imported once more (core/config/modules.ts). */
const pathOf = (file: string): string =>
  (file.startsWith("file:") ? fileURLToPath(file) : file).replace(/\?again=\d+$/, "");

/** Where in code that is not the gateway's an error comes from, for whoever wrote that: ` (rule.ts:12:7)`, or nothing. */
export function thrownAt(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const frames = framesOf(error).filter(({ file }) => !file.startsWith(product));
  const own = frames.find(({ file }) => !file.includes("/node_modules/")) ?? frames[0];
  if (own) return ` (${shown(own.file)}${own.at})`;
  // Of what `require` does not find a stack may have no room for who asked.
  const [asking] = (error as { readonly requireStack?: readonly string[] }).requireStack ?? [];
  return asking === undefined ? "" : ` (${shown(asking)})`;
}

function shown(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith("..") ? file : near;
}
