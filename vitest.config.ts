import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{core,plugins,providers,test}/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    reporters: ["default", "./test/closing-line.ts"],
  },
});
