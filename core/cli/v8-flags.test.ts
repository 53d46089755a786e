import { spawnSync } from "node:child_process";
import v8 from "node:v8";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tuneV8, v8Flags } from "./v8-flags.ts";

const before = process.execArgv;

afterEach(() => {
  process.execArgv = before;
  vi.restoreAllMocks();
});

/** What V8 is told where node was started with these options. */
function toldWith(...options: string[]): string[] {
  const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  process.execArgv = options;
  tuneV8();
  return set.mock.calls.map(([flag]) => flag);
}

/** A flag of V8's as node may be given it. */
const waysOf = (name: string): string[] => {
  const underscored = name.replaceAll("-", "_");
  return [`--${name}=50`, `--${underscored}=50`, `--${name}`, `--no-${name}`, `--no_${underscored}`, `--no${name}`];
};

describe.each(v8Flags)("$name", ({ name, told }) => {
  it("is told to V8, which has it in this version", () => {
    expect(toldWith()).toContain(told);
    const { status, stdout, stderr } = spawnSync(process.execPath, [told, "-p", "1"], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1\n", stderr: "" });
  });

  it.each(waysOf(name))("is left alone where node was started with %s", (said) => {
    const others = v8Flags.filter((flag) => flag.name !== name);
    expect(toldWith(said)).toEqual(others.map((flag) => flag.told));
  });
});
