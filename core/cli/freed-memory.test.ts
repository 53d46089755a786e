import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const [module, loader] = ["./freed-memory.ts", "../modules/modules.mjs"].map(
  (path) => new URL(path, import.meta.url).href,
);

/** Mebibytes of the heap that malloc keeps for itself, with a block of 20 in use that it might have had from the system. */
const script = (prepare: string) => `
  import { readFileSync } from "node:fs";
  import { setImmediate } from "node:timers/promises";
  import { importModule } from ${JSON.stringify(loader)};
  const { keepFreedMemory } = await importModule(${JSON.stringify(module)});
  const { arrayBuffers } = process.memoryUsage();
  ${prepare}
  // What is collected is freed by another thread.
  for (let turn = 0; turn < 10_000 && (turn === 0 || process.memoryUsage().arrayBuffers > arrayBuffers + 1_000_000); turn++) {
    gc();
    await setImmediate();
  }
  const block = Buffer.allocUnsafeSlow(20 * 1024 * 1024);
  const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) .*\\[heap\\]$/m.exec(readFileSync("/proc/self/maps", "utf8")) ?? [];
  console.log(Math.floor((parseInt(to, 16) - parseInt(from, 16)) / 1048576), block.length);
`;

function heapWith(prepare: string): number {
  const args = ["--expose-gc", "--input-type=module", "-e", script(prepare)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  return Number(stdout.split(" ")[0]);
}

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };

it.runIf(header.glibcVersionRuntime !== undefined)("has glibc keep what blocks of many megabytes are made of", () => {
  const least = Math.max(20, heapWith("") + 15);
  let kept = 0;
  // Where the system has put something right behind the heap, it cannot grow: that is where chance has it in each process.
  for (let time = 0; time < 3 && kept < least; time++) kept = heapWith("keepFreedMemory();");
  expect(kept).toBeGreaterThanOrEqual(least);
});
