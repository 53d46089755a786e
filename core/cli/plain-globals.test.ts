import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const [module, loader] = ["./plain-globals.ts", "../modules/modules.mjs"].map(
  (path) => new URL(path, import.meta.url).href,
);

const script = `
  import * as buffer from "node:buffer";
  import * as hooks from "node:perf_hooks";
  import process from "node:process";
  import { importModule } from ${JSON.stringify(loader)};
  const { keepPlainGlobals } = await importModule(${JSON.stringify(module)});
  const listed = Object.keys(globalThis).join();
  keepPlainGlobals();
  const { value, writable, configurable } = Object.getOwnPropertyDescriptor(globalThis, "Buffer");
  const same = [value === buffer.Buffer, performance === hooks.performance, globalThis.process === process];
  console.log(JSON.stringify([same, writable, configurable, Object.keys(globalThis).join() === listed]));
`;

it("leaves globals what they were, and as they were for whoever puts something in their place", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect({ stdout: JSON.parse(stdout || "null"), stderr }).toEqual({
    stdout: [[true, true, true], true, true, true],
    stderr: "",
  });
});
