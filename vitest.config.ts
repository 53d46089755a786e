import { defineConfig } from "vitest/config";

/** What keeps nothing of its process: these files share one, which saves reading and warming the sources for each. */
const sharing = [
  "core",
  "providers",
  "plugins/{checks,format-*,strategy-*,cache*,circuit-breaker,guardrails,proxy,responses-store,retry,routing,stream-resume}",
  "test/{bad-clients,conformance,end-to-end,faults}",
].map((folder) => `${folder}/**/*.test.ts`);
const all = ["{core,plugins,providers,test}/**/*.test.ts"];
const setupFiles = ["./test/support/between-files.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ["default", "./test/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "alone", include: all, exclude: sharing } },
      { extends: true, test: { name: "together", include: sharing, isolate: false, setupFiles } },
    ],
  },
});
