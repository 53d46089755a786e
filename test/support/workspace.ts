import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./root.ts";
import { environment } from "./sluice.ts";

const start = promisify(execFile);

type Run = (program: string, args: readonly string[], variables?: Readonly<Record<string, string>>) => Promise<string>;

/** What the snippets of a document are written to and run in. */
export interface Workspace {
  readonly folder: string;
  write(file: string, text: string): void;
  /** Runs a program here; gives what it prints. */
  readonly run: Run;
}

/** A project of somebody who has the gateway installed. */
export interface Project {
  /** A new folder of it. */
  workspace(name: string): Workspace;
  readonly run: Run;
  /** Type-checks all that was written, as strictly as the gateway itself. Gives the complaints. */
  typeCheck(): Promise<string>;
  remove(): void;
}

const runIn =
  (cwd: string): Run =>
  async (program, args, variables = {}) =>
    (await start(program, args, { cwd, env: environment(variables) })).stdout;

export function createProject(): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-readme-")));
  const modules = join(root, "node_modules");
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, "node_modules/@anthropic-ai"), { recursive: true });
  for (const name of ["openai", "@anthropic-ai/sdk", "vitest"])
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
  symlinkSync(root, join(folder, "node_modules/sluice"));
  write("package.json", '{ "type": "module" }');
  const run = runIn(folder);
  return {
    run,
    workspace(name) {
      const own = join(folder, name);
      mkdirSync(own);
      symlinkSync(join(root, "config"), join(own, "config"));
      return { folder: own, write: (file, text) => write(join(name, file), text), run: runIn(own) };
    },
    typeCheck() {
      const compilerOptions = {
        typeRoots: [join(modules, "@types")],
        paths: { vitest: [join(modules, "vitest/dist/index.d.ts")] },
      };
      write(
        "tsconfig.json",
        JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: ["*/*.ts"] }),
      );
      return run(process.execPath, [join(modules, "typescript/bin/tsc"), "--noEmit", "-p", "."]).catch(
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
