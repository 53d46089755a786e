import { defineConfig } from "vitest/config";

/** Functions of what they are given: their files share a process, which saves reading the sources anew for each. */
const pure = ["core", "providers", "plugins/{checks,format-*,strategy-*}", "test/conformance"].map(
  (folder) => `${folder}/**/*.test.ts`,
);
const all = ["{core,plugins,providers,test}/**/*.test.ts"];
const setupFiles = ["./test/support/between-files.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ["default", "./test/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "alone", include: all, exclude: pure } },
      { extends: true, test: { name: "together", include: pure, isolate: false, setupFiles } },
    ],
  },
});
