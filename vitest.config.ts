import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{core,plugins,providers,test}/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Each file by itself would read the sources anew: a third of the time of the whole suite.
    isolate: false,
    setupFiles: ["./test/support/between-files.ts"],
    testTimeout: 20_000,
    reporters: ["default", "./test/closing-line.ts"],
  },
});
