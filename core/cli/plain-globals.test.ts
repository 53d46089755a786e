import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const [module, loader] = ["./plain-globals.ts", "../modules/modules.mjs"].map(
  (path) => new URL(path, import.meta.url).href,
);

/** What a process says of its globals, which has put something in their place before they are made plain. */
function said(of: string, before = "") {
  const script = `
    import * as buffer from "node:buffer";
    import * as hooks from "node:perf_hooks";
    import process from "node:process";
    import { importModule } from ${JSON.stringify(loader)};
    const { keepPlainGlobals } = await importModule(${JSON.stringify(module)});
    const listed = Object.keys(globalThis).join();
    const described = (name) => Object.getOwnPropertyDescriptor(globalThis, name);
    ${before};
    keepPlainGlobals();
    console.log(JSON.stringify(${of}));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it("leaves globals what they were, and as they were for whoever puts something in their place", () => {
  const same =
    "[globalThis.Buffer === buffer.Buffer, performance === hooks.performance, globalThis.process === process]";
  const plain =
    '["Buffer", "performance", "process"].map(described).map(({ value, writable, configurable }) => [!!value, writable, configurable])';
  expect(said(`{ same: ${same}, plain: ${plain}, listed: Object.keys(globalThis).join() === listed }`)).toEqual({
    same: [true, true, true],
    plain: Array(3).fill([true, true, true]),
    listed: true,
  });
});

it("leaves alone what somebody has put in their place, and what is not to be changed", () => {
  const before = `
    const wrapped = new Proxy(process, {});
    let asked = 0;
    Object.defineProperty(globalThis, "process", { value: wrapped, writable: false, configurable: false });
    Object.defineProperty(globalThis, "performance", { get: () => ({ asked: ++asked }), configurable: true });
    Object.defineProperty(globalThis, "Buffer", { get: () => buffer.Buffer, configurable: false });
  `;
  const after = `[
    globalThis.process === wrapped,
    described("process").writable,
    performance.asked < performance.asked,
    described("Buffer").value === undefined,
  ]`;
  expect(said(after, before)).toEqual([true, false, true, true]);
});
