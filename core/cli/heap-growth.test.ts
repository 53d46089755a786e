import { spawnSync } from "node:child_process";
import v8 from "node:v8";
import { afterEach, expect, it, vi } from "vitest";
import { letHeapGrow } from "./heap-growth.ts";

const before = process.execArgv;

afterEach(() => {
  process.execArgv = before;
  vi.restoreAllMocks();
});

it("sets a flag that this version of V8 has", () => {
  const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  letHeapGrow();
  const [[flag = ""] = []] = set.mock.calls;
  const { status, stdout, stderr } = spawnSync(process.execPath, [flag, "-p", "1"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1\n", stderr: "" });
});

it.each(["--heap-growing-percent=50", "--heap_growing_percent=50"])(
  "leaves the percentage alone that node was started with: %s",
  (said) => {
    const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
    process.execArgv = [said];
    letHeapGrow();
    expect(set).not.toHaveBeenCalled();
  },
);
