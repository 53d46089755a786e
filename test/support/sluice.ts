import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { folderOfFile } from "./folder-of-file.ts";
import { root } from "./root.ts";

export const bin = fileURLToPath(new URL("../../core/cli/bin.mjs", import.meta.url));

/** A gateway in a process of its own. */
export interface RunningSluice {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  /** Interrupts it, and tells its exit code once it has ended; null when it had to be killed. */
  stop(): Promise<number | null>;
}

/**
 * Only what every process needs: a key that happens to be in the environment must not change what a test sees, and what
 * the gateway that comes with the product keeps is each time another file.
 */
export const environment = (variables: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  RECORDS_FOLDER: folderOfFile(),
  ...variables,
});

/** `sluice start FILE` on a free port, as an operator does it. It ends with the test at the latest. */
export async function startSluice(
  file: string,
  variables: Readonly<Record<string, string>> = {},
  folder = root,
): Promise<RunningSluice> {
  const gateway = await spawnSluice(file, variables, folder);
  onTestFinished(() => gateway.stop().then(() => undefined));
  return gateway;
}

/** The same, for several tests: whoever starts it stops it. */
export function spawnSluice(
  file: string,
  variables: Readonly<Record<string, string>> = {},
  folder = root,
): Promise<RunningSluice> {
  const child = spawn(process.execPath, [bin, "start", file, "--port", "0"], {
    cwd: folder,
    env: environment(variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = () => {
    if (child.exitCode !== null || child.signalCode !== null) return ended;
    child.kill("SIGINT");
    const stuck = setTimeout(() => child.kill("SIGKILL"), 8_000);
    return ended.finally(() => clearTimeout(stuck));
  };
  return new Promise((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += text;
      const [, address] = / listens on (http:\S+) /.exec(printed) ?? [];
      if (address === undefined) return;
      // A gateway that listens on all addresses greets with this one.
      resolve({ url: address, output: () => printed, stop });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then((code) => reject(new Error(`sluice start ${file} ended with ${code}:\n${printed}`)));
  });
}
