import { spawnSync } from "node:child_process";
import v8 from "node:v8";
import { afterEach, expect, it, vi } from "vitest";
import { keepObjectsYoung } from "./young-objects.ts";

const before = process.execArgv;

afterEach(() => {
  process.execArgv = before;
  vi.restoreAllMocks();
});

it("sets a flag that this version of V8 has", () => {
  const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  keepObjectsYoung();
  const [[flag = ""] = []] = set.mock.calls;
  const { status, stdout, stderr } = spawnSync(process.execPath, [flag, "-p", "1"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1\n", stderr: "" });
});

it.each([
  "--allocation-site-pretenuring",
  "--no-allocation-site-pretenuring",
  "--allocation_site_pretenuring",
  "--no_allocation_site_pretenuring",
  "--noallocation-site-pretenuring",
])("leaves alone what node was started with: %s", (said) => {
  const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
  process.execArgv = [said];
  keepObjectsYoung();
  expect(set).not.toHaveBeenCalled();
});
