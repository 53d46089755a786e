import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./root.ts";
import { environment } from "./sluice.ts";

const run = promisify(execFile);

/** A project of somebody who has the gateway installed: what snippets are written to and run in. */
export interface Workspace {
  readonly folder: string;
  write(file: string, text: string): void;
  /** Runs a program here; gives what it prints. */
  run(program: string, args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<string>;
  /** Type-checks all that was written, as strictly as the gateway itself. Gives the complaints. */
  typeCheck(): Promise<string>;
  remove(): void;
}

export function createWorkspace(): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-readme-")));
  const modules = join(root, "node_modules");
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  mkdirSync(join(folder, "node_modules/@anthropic-ai"), { recursive: true });
  for (const name of ["openai", "@anthropic-ai/sdk", "vitest"])
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
  symlinkSync(root, join(folder, "node_modules/sluice"));
  symlinkSync(join(root, "config"), join(folder, "config"));
  write("package.json", '{ "type": "module" }');
  const inside = async (program: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await run(program, args, { cwd: folder, env: environment(variables) });
    return stdout;
  };
  return {
    folder,
    write,
    run: inside,
    typeCheck() {
      const compilerOptions = {
        typeRoots: [join(modules, "@types")],
        paths: { vitest: [join(modules, "vitest/dist/index.d.ts")] },
      };
      write(
        "tsconfig.json",
        JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] }),
      );
      return inside(process.execPath, [join(modules, "typescript/bin/tsc"), "--noEmit", "-p", "."]).catch(
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
