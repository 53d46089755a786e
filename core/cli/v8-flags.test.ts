import { spawnSync } from "node:child_process";
import v8 from "node:v8";
import { afterEach, describe, expect, it, vi } from "vitest";
import { letHeapGrow } from "./heap-growth.ts";
import { keepObjectsYoung } from "./young-objects.ts";

/** What sets a flag of V8's, and how that flag may have been given to node. */
const tunings = [
  { tune: letHeapGrow, ways: ["--heap-growing-percent=50", "--heap_growing_percent=50"] },
  {
    tune: keepObjectsYoung,
    ways: [
      "--allocation-site-pretenuring",
      "--no-allocation-site-pretenuring",
      "--allocation_site_pretenuring",
      "--no_allocation_site_pretenuring",
      "--noallocation-site-pretenuring",
    ],
  },
];

const before = process.execArgv;

afterEach(() => {
  process.execArgv = before;
  vi.restoreAllMocks();
});

describe.each(tunings)("$tune.name", ({ tune, ways }) => {
  it("sets a flag that this version of V8 has", () => {
    const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
    tune();
    const [[flag = ""] = []] = set.mock.calls;
    const { status, stdout, stderr } = spawnSync(process.execPath, [flag, "-p", "1"], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "1\n", stderr: "" });
  });

  it.each(ways)("leaves alone what node was started with: %s", (said) => {
    const set = vi.spyOn(v8, "setFlagsFromString").mockReturnValue();
    process.execArgv = [said];
    tune();
    expect(set).not.toHaveBeenCalled();
  });
});
