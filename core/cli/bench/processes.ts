import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Reading } from "./usage.ts";

/** A process of the bench, alone on its core where the machine allows it. */
export interface BenchProcess {
  readonly port: number;
  read(reading: Reading): Promise<number>;
  stop(): void;
}

/** Whether processes can be pinned to cores here. */
export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

export async function startProcess(
  role: "relay" | "gateway",
  args: readonly string[],
  core: number,
): Promise<BenchProcess> {
  const child = fork(fileURLToPath(new URL("./process.mjs", import.meta.url)), [role, ...args], {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
  });
  const { port } = await message<{ port: number }>(child);
  pin(child.pid, core);
  return {
    port,
    read(reading) {
      child.send(reading);
      return message<number>(child);
    },
    stop: () => child.kill(),
  };
}

/** Pins a process, all its threads included, to one core. */
export function pin(pid: number | undefined, core: number): void {
  if (canPin && pid !== undefined) spawnSync("taskset", ["-acp", String(core), String(pid)]);
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a process of the bench ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (value) => {
      child.off("exit", onExit);
      resolve(value as Message);
    });
  });
}
