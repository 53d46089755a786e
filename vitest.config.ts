import { defineConfig } from "vitest/config";

const all = ["{core,plugins,providers,test}/**/*.test.ts"];
/**
 * What times a whole deployment in a process: what others left to be collected there must not count. And what asks the
 * machine for credentials as providers do, since a process keeps them.
 */
const alone = [
  "test/{bad-clients,limits}/**/*.test.ts",
  "test/control-plane/outage.test.ts",
  "plugins/secret-references/managers/**/*.test.ts",
];
const setupFiles = ["./test/support/between-files.ts"];

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    // The first test of a process, or a hook before it, reads half the product: on a busy machine for longer than tests take.
    testTimeout: 40_000,
    hookTimeout: 60_000,
    reporters: ["default", "./test/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "alone", include: alone } },
      // All others share a process, which saves reading and warming the sources for each: they leave nothing behind in it.
      { extends: true, test: { name: "together", include: all, exclude: alone, isolate: false, setupFiles } },
    ],
  },
});
