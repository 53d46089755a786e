import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { folderOfFile } from "./folder-of-file.ts";

const root = new URL("../../", import.meta.url).pathname;

/** A gateway in a process of its own, started as an operator would. */
export interface GatewayProcess {
  readonly child: ChildProcess;
  /** Standard output and standard error so far. */
  readonly output: string;
  /** Resolves with what matched once it was printed; `after` skips what was printed before. Rejects when the process ends. */
  printed(wanted: RegExp, after?: number): Promise<RegExpExecArray>;
  /** The address it says it listens on. */
  url(): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** The exit code, and the signal that ended it. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Runs `sluice start FILE`, or without a file the one that comes with the product. The process ends with the test. */
export function spawnGateway(
  file: string | undefined,
  variables: Record<string, string> = {},
  more: string[] = [],
): GatewayProcess {
  const child = spawn(
    process.execPath,
    [`${root}core/cli/bin.mjs`, "start", ...(file === undefined ? [] : [file]), ...more],
    {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", RECORDS_FOLDER: folderOfFile(), ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  // Not "exit": what it printed last is still to be read then.
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const printed = (wanted: RegExp, after = 0): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = wanted.exec(output.slice(after));
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`ended without ${wanted}, after: ${output}`)));
      look();
    });
  return {
    child,
    get output() {
      return output;
    },
    printed,
    url: async () => (await printed(/listens on (http:\S+)/))[1] ?? "",
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
